"""Which files have come to rest: a clock and a disk that the tests move by hand."""

from kgmem.watching.settling import Settled, Settling
from kgmem.watching.timing import Timing

TIMING = Timing(settle=1.0, patience=5.0, restless=60.0)


class Disk(dict):
    def settling(self):
        return Settling(self.get, TIMING)


def test_nothing_is_due_before_something_changes():
    settling = Disk().settling()
    assert settling.due() is None
    assert settling.take(100.0) == Settled()


def test_a_file_rests_once_it_did_not_change_for_a_while():
    settling = Disk(a=(1, 1)).settling()
    settling.touch("a", 10.0)
    settling.touch("a", 10.5)
    assert settling.due() == 11.5
    assert settling.take(11.4) == Settled()
    assert settling.take(11.5) == Settled(frozenset({"a"}))
    assert not settling


def test_files_that_change_together_are_taken_together():
    settling = Disk().settling()
    settling.touch("a", 10.0)
    settling.touch("b", 10.9)
    assert settling.take(11.0) == Settled()
    assert settling.take(11.9) == Settled(frozenset("ab"))


def test_what_rests_does_not_wait_for_ever_for_what_does_not():
    settling = Disk().settling()
    settling.touch("quiet", 0.0)
    for tenth in range(100):
        settling.touch("busy", tenth / 10)
    assert settling.due() == 5.0
    assert settling.take(9.9) == Settled(frozenset({"quiet"}), frozenset({"busy"}))
    assert settling.due() == 10.9
    assert settling.take(10.9) == Settled(frozenset({"busy"}))


def test_what_never_rests_is_read_one_day():
    settling = Disk().settling()
    for second in range(61):
        settling.touch("log", float(second))
    assert settling.take(60.0) == Settled(frozenset({"log"}))


def test_a_change_that_nobody_told_of_counts_all_the_same():
    disk = Disk(a=(1, 1))
    settling = disk.settling()
    settling.touch("a", 0.0)
    disk["a"] = (2, 1)
    assert settling.take(1.0) == Settled()
    assert settling.due() == 2.0
    assert settling.take(2.0) == Settled(frozenset({"a"}))
