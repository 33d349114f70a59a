"""A small memory by hand: two notes about people, whose every id, line and date is written here."""

from dataclasses import replace

from kgmem.model import (
    FOREVER,
    UNKNOWN,
    Alias,
    AliasKind,
    Basis,
    Bound,
    Claim,
    Entity,
    EntityType,
    Episode,
    Fact,
    Mention,
    Moment,
    Passage,
    Period,
    Source,
    identify,
)
from kgmem.resolution.names import name_key
from kgmem.store.changes import ChangeSet

MIRA = Entity(identify("Mira"), "Mira", EntityType.PERSON, "Individual", 0)
NORD = Entity(identify("Nord"), "Château Nord", EntityType.ORGANIZATION, None, 1)
PARIS = Entity(identify("Paris"), "Paris", EntityType.LOCATION)

MIRA_MD = Source(
    identify("s", "Mira.md"),
    "obsidian",
    "/vault",
    "People/Mira.md",
    "Mira",
    entity=MIRA.id,
    size=80,
    mtime_ns=5,
    hash="h1",
)
LOG_MD = Source(identify("s", "log.md"), "obsidian", "/vault", "log.md", "Travel log", size=40, mtime_ns=7, hash="h2")


def bound(text, basis=Basis.NOTE):
    return Bound(Moment.parse(text), basis)


def stated(start, end=None):
    ends = (bound(each, Basis.STATED) if each else UNKNOWN for each in (start, end))
    return Period(*ends)


def episode(source, text, occurred=UNKNOWN):
    return Episode(identify("episode", source.id, text), source.id, f"hash of {text}", text, occurred)


def passage(source, text, first_line=1, *, heading="", block=None):
    return Passage(
        identify("passage", source.id, text), source.id, "paragraph", heading, text, block, first_line, first_line
    )


def mention(where, entity, surface=None):
    surface = surface or entity.name
    start = where.text.index(surface)
    return Mention(where.id, entity.id, start, start + len(surface), surface, "structure")


def alias(source, entity, name=None, kind=AliasKind.TITLE):
    name = name or entity.name
    return Alias(entity.id, source.id, name, name_key(name), kind, entity.type, entity.subtype, entity.type_rank)


def works_at(where, revision, target, start, *, name=None, subject=MIRA, line=0):
    """A claim that Mira works somewhere from a date on."""
    value = None if isinstance(target, Entity) else target
    return Claim(
        id=identify("claim", name or where.id, subject.id),
        source=where.source,
        episode=revision.id,
        passage=where.id,
        subject=subject.id,
        predicate="WORKS_AT",
        object=None if value else target.id,
        value=value,
        statement=f"{subject.name} works at {value or target.name}.",
        quote=where.text,
        line=line,
        valid=stated(start),
        said=bound("2024-05-01"),
        confidence=0.75,
    )


SLOT = identify("slot", MIRA.id, "WORKS_AT")


def fact_of(claim, *rest, slot=SLOT, name=None, rivals=(), past=FOREVER):
    """The belief that a claim holds, and what it rests on."""
    return Fact(
        id=identify("fact", name or claim.id),
        slot=slot,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        value=claim.value,
        statement=claim.statement,
        valid=claim.valid,
        holds_from=claim.valid.start.moment.first,
        holds_to=past,
        confidence=claim.confidence,
        evidence=tuple(sorted(each.id for each in (claim, *rest))),
        rivals=tuple(sorted(each.id for each in rivals)),
    )


INTRO = passage(MIRA_MD, "Mira directs Château Nord", 12, heading="Life > Work", block="job")
HOME = passage(MIRA_MD, "Mira lives in Paris", 14)
MIRA_1 = episode(MIRA_MD, "…\nMira directs Château Nord\n\nMira lives in Paris\n", bound("2024-05-01"))
DIRECTS = works_at(INTRO, MIRA_1, NORD, "2015", line=1)
DIRECTS_FACT = fact_of(DIRECTS)

FIRST = ChangeSet(
    kind="ingest",
    source=MIRA_MD,
    episode=MIRA_1,
    passages=(INTRO, HOME),
    mentions=(mention(INTRO, MIRA), mention(INTRO, NORD), mention(HOME, MIRA), mention(HOME, PARIS)),
    entities=(MIRA, NORD, PARIS),
    aliases=(
        alias(MIRA_MD, MIRA),
        alias(MIRA_MD, MIRA, "Mimi", AliasKind.ALIAS),
        alias(MIRA_MD, NORD, kind=AliasKind.LINK),
    ),
    links=((name_key("Château Nord"), False),),
    claims=((SLOT, DIRECTS),),
    opened=(DIRECTS_FACT,),
)

TRIP = passage(LOG_MD, "Flew to Paris with Mimi", 3)
LOG_1 = episode(LOG_MD, "# Travel log\n\nFlew to Paris with Mimi\n", bound("2023-11"))
SECOND = ChangeSet(
    kind="ingest",
    source=LOG_MD,
    episode=LOG_1,
    passages=(TRIP,),
    mentions=(mention(TRIP, PARIS), mention(TRIP, MIRA, "Mimi")),
    aliases=(alias(LOG_MD, PARIS, kind=AliasKind.LINK),),
    links=(("paris", True),),
)


def rewritten(text, source=MIRA_MD, occurred=UNKNOWN, **changes):
    """A change set that leaves a source with one paragraph of this text."""
    return ChangeSet(
        kind="ingest",
        source=replace(source, hash=text),
        episode=episode(source, text, occurred),
        passages=(passage(source, text),),
        **changes,
    )
