"""Sources, episodes, passages and mentions: the rows that a change set makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kgmem.errors import InvariantError
from kgmem.model import OPEN, UNKNOWN, Episode, Id, Mention, Passage, Source
from kgmem.store.neo4j.archive import BACK
from kgmem.store.neo4j.dates import dated
from kgmem.store.neo4j.held import HeldSource, Span
from kgmem.store.neo4j.keys import checked, lookup
from kgmem.store.neo4j.rows import Work
from kgmem.store.neo4j.vectors import drop, follow
from kgmem.store.neo4j.words import BETWEEN, DEAD, LIVE, indexed, joined
from kgmem.store.sqlite.packing import pack_bound

PIECES: Final = {
    "sources_new": "CREATE (s:Source) SET s = row.properties",
    "sources_set": "MATCH (s:Source {key: row.key}) SET s += row.properties",
    "about_drop": "MATCH (:Source {key: row.key})-[d:DESCRIBES]->(:Entity) DELETE d",
    "about_new": (
        "MATCH (s:Source {key: row.key}) MATCH (e:Entity {key: row.entity})"
        " CREATE (s)-[:DESCRIBES {group: $group}]->(e)"
    ),
    "places_close": (
        "MATCH (:Source {key: row.key})-[:STOOD_AT]->(p:Place) WHERE p.closed_at = $open SET p.closed_at = $at"
    ),
    "places_new": (
        "MATCH (s:Source {key: row.key}) CREATE (s)-[:STOOD_AT {group: $group}]->(p:Place) SET p = row.properties"
    ),
    "episodes_new": "CREATE (e:Episode) SET e = row.properties",
    **BACK,
    "episodes_close": (
        "MATCH (s:Source {key: row.key})-[h:HAS_EPISODE]->(:Episode) WHERE h.closed_at = $open SET h.closed_at = $at"
        " WITH DISTINCT s MATCH (s)-[now:CURRENT]->(:Episode) DELETE now"
    ),
    "episodes_current": (
        "MATCH (s:Source {key: row.key}) MATCH (e:Episode {key: row.episode})"
        " CREATE (s)-[h:HAS_EPISODE]->(e) SET h = row.properties CREATE (s)-[now:CURRENT]->(e) SET now = row.properties"
    ),
    "passages_new": (
        "MATCH (s:Source {key: row.source})"
        " CREATE (s)<-[:PART_OF {group: $group}]-(p:Passage) SET p = row.properties, p:$($label)"
    ),
    "passages_set": "MATCH (p:Passage {key: row.key}) SET p += row.properties",
    "stands_drop": (
        "MATCH (:Episode {key: row.episode})-[t:HAS_PASSAGE {ordinal: row.ordinal}]->(:Passage {key: row.passage})"
        " DELETE t"
    ),
    "stands_new": (
        "MATCH (e:Episode {key: row.episode}) MATCH (p:Passage {key: row.passage})"
        " CREATE (e)-[t:HAS_PASSAGE]->(p) SET t = row.properties"
    ),
    "stands_set": (
        "MATCH (:Episode {key: row.episode})-[t:HAS_PASSAGE {ordinal: row.ordinal}]->(:Passage {key: row.passage})"
        " SET t += row.properties"
    ),
    "titles": (
        "MATCH (:Source {key: row.key})-[:CURRENT]->(:Episode)-[:HAS_PASSAGE]->(p:Passage) WHERE p.live"
        " WITH DISTINCT p, row SET p.words = p.text_words + row.heading_from + p.heading_words + row.title"
    ),
    "mentions_drop": (
        "MATCH (:Passage {key: row.passage})-[m:MENTIONS {start: row.start, past: row.past}]->"
        "(:Entity {key: row.entity}) DELETE m"
    ),
    "mentions_new": (
        "MATCH (p:Passage {key: row.passage}) MATCH (e:Entity {key: row.entity})"
        " CREATE (p)-[m:MENTIONS]->(e) SET m = row.properties"
    ),
    "mentions_set": (
        "MATCH (:Passage {key: row.passage})-[m:MENTIONS {start: row.start, past: row.past}]->"
        "(:Entity {key: row.entity}) SET m += row.properties"
    ),
}

TOUCH: Final = {
    "sources_touch": "MATCH (s:Source {key: row.key}) SET s += row.properties",
}

MOVE_ROOT: Final = """
MATCH (s:Source {group: $group, root: $before})
CALL (s) {
  WITH s WHERE s.removed_at = $open
  MATCH (s)-[:STOOD_AT]->(p:Place) WHERE p.closed_at = $open SET p.closed_at = $at
  CREATE (s)-[:STOOD_AT {group: $group}]->(q:Place)
  SET q = {key: $group + '/' + s.id + '/' + $at, group: $group, source: s.id, root: $after, path: s.path,
           lookup: s.lookup, recorded_at: $at, closed_at: $open}
}
SET s.root = $after RETURN count(s)
"""
MOVE_REPLAYS: Final = """
MATCH (r:Replay {group: $group}) WHERE r.root = $before SET r.root = $after, r.key = $key RETURN count(r)
"""

_COLUMNS: Final = ("kind", "root", "path", "title", "uid", "entity", "hash")


def put_source(work: Work, source: Source) -> HeldSource:
    """A source as it is from now on."""
    held = work.held.sources.get(source.id)
    properties = {name: getattr(source, name) for name in _COLUMNS}
    properties |= {"kind": str(source.kind), "lookup": lookup(source.path)}
    if source.entity is not None:
        work.held.require("entity", source.entity)
    if held is None:
        return _new_source(work, source, properties)
    before = held.properties
    changed = any(before.get(name) != properties[name] for name in _COLUMNS)
    if held.live and not changed:
        return held
    key = work.handle.key(source.id)
    work.put("sources_set", key=key, properties={**properties, "removed_at": OPEN})
    if not held.live or (before["root"], before["path"]) != (source.root, source.path):
        work.put("places_close", key=key)
        _put_place(work, source)
    if before.get("entity") != source.entity:
        _describe(work, key, source.entity, drop=before.get("entity") is not None)
    if held.live and before["title"] != source.title:
        between = f" {BETWEEN} "
        work.put("titles", key=key, heading_from=between, title=between + indexed(source.title))
        for passage in held.passages:
            drop(work, "passage", passage)
    held.properties = {**before, **properties}
    held.live = True
    return held


def _new_source(work: Work, source: Source, properties: dict[str, Any]) -> HeldSource:
    key = work.handle.key(checked(source.id))
    properties |= {
        "key": key,
        "group": work.group,
        "id": source.id,
        "size": source.size,
        "mtime_ns": source.mtime_ns,
        "removed_at": OPEN,
        "first_at": work.at,
    }
    work.put("sources_new", properties=properties)
    _put_place(work, source)
    _describe(work, key, source.entity, drop=False)
    held = work.held.sources[source.id] = HeldSource(dict(properties), live=True)
    work.held.known_sources.add(source.id)
    return held


def _put_place(work: Work, source: Source) -> None:
    work.put(
        "places_new",
        key=work.handle.key(source.id),
        properties={
            "key": work.handle.key(source.id, work.at),
            "group": work.group,
            "source": source.id,
            "root": source.root,
            "path": source.path,
            "lookup": lookup(source.path),
            "recorded_at": work.at,
            "closed_at": OPEN,
        },
    )


def _describe(work: Work, key: str, entity: Id | None, *, drop: bool) -> None:
    if drop:
        work.put("about_drop", key=key)
    if entity is not None:
        work.put("about_new", key=key, entity=work.handle.key(entity))


def touch_source(work: Work, source: Source, held: HeldSource) -> None:
    """A file's size and time, which are no knowledge: they spare the next walk a reading."""
    now = {"size": source.size, "mtime_ns": source.mtime_ns}
    if any(held.properties[name] != value for name, value in now.items()):
        work.put("sources_touch", key=work.handle.key(source.id), properties=now)


def remove_source(work: Work, source: HeldSource) -> set[Id]:
    """Take a live source out of what is live; gives the entities that its passages mentioned."""
    touched = _bury(work, source, list(source.passages))
    key = work.handle.key(source.id)
    work.put("places_close", key=key)
    work.put("episodes_close", key=key)
    work.put("sources_set", key=key, properties={"removed_at": work.at})
    source.live = False
    source.episode, source.occurred = None, pack_bound(UNKNOWN)
    return touched


def put_episode(work: Work, source: HeldSource, episode: Episode) -> Id:
    """Make this the current episode of its source.

    Raises:
        InvariantError: an episode of that id is kept with another source or text.
    """
    key, occurred = work.handle.key(checked(episode.id)), pack_bound(episode.occurred)
    kept = work.held.episodes.get(episode.id)
    if kept is None:
        properties = {"key": key, "group": work.group, "id": episode.id, "source": source.id, "hash": episode.hash}
        size = len(episode.body.encode("utf-8"))
        work.put("episodes_new", properties={**properties, "body": episode.body, "bytes": size})
        work.held.episodes[episode.id] = (source.id, episode.hash)
    elif kept != (source.id, episode.hash):
        raise InvariantError(f"the episode {episode.id} is kept with another source or text")
    elif episode.id in work.held.archived:
        work.put("bodies_back", key=key, body=episode.body, bytes=len(episode.body.encode("utf-8")))
    if (episode.id, occurred) != (source.episode, source.occurred):
        where = work.handle.key(source.id)
        if source.episode is not None:
            work.put("episodes_close", key=where)
        times = {"group": work.group, "recorded_at": work.at, "closed_at": OPEN}
        work.put("episodes_current", key=where, episode=key, properties={**times, **dated(episode.occurred)})
        source.episode, source.occurred = episode.id, occurred
    return episode.id


def put_passages(work: Work, source: HeldSource, episode: Id, passages: Sequence[Passage]) -> set[Id]:
    """Make these the passages of the current episode, in order; what stood before and does not now is not live.

    Gives the entities whose mentions came to life or died with their passage.
    """
    wanted = {checked(passage.id): passage for passage in passages}
    touched = _bury(work, source, [one for one in source.passages if one not in wanted])
    born = {one: passage for one, passage in wanted.items() if one not in source.passages}
    title = indexed(source.properties["title"]) if born else ""
    for ordinal, (one, passage) in enumerate(born.items()):
        text, heading = indexed(passage.text), indexed(passage.heading)
        parts = {"words": joined(text, heading, title), "text_words": text, "heading_words": heading}
        words = {"state": LIVE, "live": True, **parts}
        if one in work.held.passages:
            work.put("passages_set", key=work.handle.key(one), properties=words)
            follow(work, "passage", one, state=LIVE)
            touched |= _mentioned(work, {one})
        else:
            properties = {**_passage(work, passage), **words, "ordinal": ordinal}
            work.put("passages_new", source=work.handle.key(source.id), properties=properties)
        work.held.passages[one] = True
    source.passages = dict.fromkeys(wanted)
    _place(work, episode, passages)
    return touched


def _passage(work: Work, passage: Passage) -> dict[str, Any]:
    return {
        "key": work.handle.key(passage.id),
        "group": work.group,
        "id": passage.id,
        "source": passage.source,
        "kind": passage.kind,
        "heading": passage.heading,
        "block": passage.block,
        "text": passage.text,
        "first_at": work.at,
    }


def _bury(work: Work, source: HeldSource, passages: Iterable[Id]) -> set[Id]:
    """Make passages not live, and leave their words for the past; gives the entities that they mention."""
    dead = set(passages)
    for one in sorted(dead):
        work.put("passages_set", key=work.handle.key(one), properties={"live": False, "state": DEAD})
        follow(work, "passage", one, state=DEAD)
        work.held.passages[one] = False
        source.passages.pop(one, None)
    return _mentioned(work, dead)


def _mentioned(work: Work, passages: set[Id]) -> set[Id]:
    return {span[3] for span in work.held.mentions if span[0] in passages}


def _place(work: Work, episode: Id, passages: Sequence[Passage]) -> None:
    """Say where passages stand in an episode. A passage that a new reading no longer finds keeps its last place."""
    wanted = {(each.id, ordinal): (each.first_line, each.last_line) for ordinal, each in enumerate(passages)}
    stored = work.held.places
    now = {one for one, _ in wanted}
    for one, ordinal in [place for place in stored if place[0] in now and place not in wanted]:
        work.put("stands_drop", **_at(work, episode, one), ordinal=ordinal)
    for (one, ordinal), (first, last) in wanted.items():
        lines = {"first_line": first, "last_line": last}
        if (one, ordinal) not in stored:
            properties = {"group": work.group, "ordinal": ordinal, **lines}
            work.put("stands_new", **_at(work, episode, one), properties=properties)
        elif stored[one, ordinal] != (first, last):
            work.put("stands_set", **_at(work, episode, one), ordinal=ordinal, properties=lines)


def _at(work: Work, episode: Id, passage: Id) -> dict[str, str]:
    return {"episode": work.handle.key(episode), "passage": work.handle.key(passage)}


def put_mentions(work: Work, source: HeldSource, mentions: Iterable[Mention]) -> set[Id]:
    """Make these the mentions of the live passages of a source; gives the entities that it concerns.

    Raises:
        InvariantError: one is in no live passage of the source, or names no entity.
    """
    new: dict[Span, tuple[str, str]] = {}
    for each in mentions:
        if each.passage not in source.passages:
            raise InvariantError(f"no live passage of the source has the id {each.passage}")
        work.held.require("entity", each.entity)
        new[each.passage, each.start, each.end, each.entity] = (each.surface, each.rung)
    stored = {span: said for span, said in work.held.mentions.items() if span[0] in source.passages}
    gone = [span for span in stored if span not in new]
    for span in gone:
        work.put("mentions_drop", **_span(work, span))
        del work.held.mentions[span]
    for span, (surface, rung) in new.items():
        said = {"surface": surface, "rung": rung}
        if span not in stored:
            properties = {"group": work.group, "start": span[1], "past": span[2], **said}
            work.put("mentions_new", **_span(work, span), properties=properties)
        elif stored[span] != (surface, rung):
            work.put("mentions_set", **_span(work, span), properties=said)
    work.held.mentions |= new
    return {span[3] for span in gone} | {span[3] for span in new if span[3] in work.held.hidden}


def _span(work: Work, span: Span) -> dict[str, Any]:
    passage, start, past, entity = span
    return {"passage": work.handle.key(passage), "start": start, "past": past, "entity": work.handle.key(entity)}
