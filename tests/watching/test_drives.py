import pytest

from kgmem.watching.drives import file_system, is_remote

TABLE = r"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:27 / /mnt/nas rw,relatime shared:2 - nfs4 nas:/export rw
31 22 0:28 / /mnt/nas/usb rw,relatime shared:3 - exfat /dev/sdb1 rw
32 22 0:29 / /mnt/my\040share rw shared:4 master:1 - cifs //server/share rw
33 22 0:30 / /home/me/cloud rw,nosuid - fuse.rclone remote: rw
"""


@pytest.fixture
def table(tmp_path):
    (tmp_path / "mountinfo").write_text(TABLE, encoding="utf-8")
    return tmp_path / "mountinfo"


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/me/notes", "ext4"),
        ("/mnt/nas", "nfs4"),
        ("/mnt/nas/notes", "nfs4"),
        ("/mnt/nas-of-mine", "ext4"),
        ("/mnt/nas/usb/notes", "exfat"),
        ("/mnt/my share/notes", "cifs"),
        ("/home/me/cloud", "fuse.rclone"),
    ],
)
def test_a_folder_is_on_the_innermost_drive_around_it(table, folder, kind):
    assert file_system(folder, table) == kind


def test_a_system_without_such_a_table_is_taken_for_one_with_events(tmp_path):
    assert file_system("/home/me", tmp_path / "nothing") == ""


@pytest.mark.parametrize(("kind", "remote"), [("nfs4", True), ("fuse.sshfs", True), ("ext4", False), ("", False)])
def test_drives_of_other_machines_tell_nothing(monkeypatch, kind, remote):
    monkeypatch.setattr("kgmem.watching.drives.file_system", lambda _: kind)
    assert is_remote("/anywhere") is remote
