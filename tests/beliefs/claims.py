"""Claims for the tests of beliefs, made by hand and by Hypothesis."""

from datetime import date, timedelta
from itertools import count

from hypothesis import strategies as st

from kgmem.model import UNKNOWN, Basis, Bound, Claim, ClaimKind, Instant, Moment, Period, identify

_number = count()


def stated(text):
    return Bound(Moment.parse(text), Basis.STATED) if text else UNKNOWN


def said(text, basis=Basis.NOTE):
    return Bound(Moment.parse(text), basis) if text else UNKNOWN


def claim(value, start=None, end=None, *, on=None, basis=Basis.NOTE, ends=False, recorded=0, replaced=None, name=None):
    """A claim of `value`; dates are ISO text, `on` is the date it was said."""
    return Claim(
        id=identify(name or next(_number)),
        source="s",
        episode="e",
        passage="p",
        subject="who",
        predicate="WORKS_AT",
        object=None,
        value=value,
        statement=f"works at {value}",
        quote="",
        line=0,
        valid=Period(stated(start), stated(end)),
        said=said(on, basis),
        kind=ClaimKind.ENDS if ends else ClaimKind.HOLDS,
        recorded_at=Instant(recorded),
        replaced=said(replaced, Basis.OBSERVED) if replaced else None,
    )


def shown(beliefs):
    """Beliefs as (value, from, to) with the dates that a person sees."""
    return [(b.value, b.valid.start.shown, b.valid.end.shown) for b in beliefs]


_days = st.integers(0, 3000).map(lambda n: date(2015, 1, 1) + timedelta(days=n))
moments = st.one_of(
    _days.map(Moment.day), _days.map(lambda d: Moment.month(d.year, d.month)), _days.map(lambda d: Moment.year(d.year))
)
_stated = st.one_of(st.just(UNKNOWN), moments.map(lambda m: Bound(m, Basis.STATED)))
_said = st.one_of(
    st.just(UNKNOWN), st.builds(Bound, moments, st.sampled_from([Basis.NOTE, Basis.OBSERVED, Basis.FILE]))
)


@st.composite
def claims(draw, values="ABC"):
    """A slot's claims: few values, every mix of dates, endings and replacements."""
    out = []
    for number in range(draw(st.integers(0, 7))):
        ends = draw(st.integers(0, 5)) == 0
        out.append(
            Claim(
                id=identify("claim", number),
                source="s", episode="e", passage="p", subject="who", predicate="P", object=None,
                value=draw(st.sampled_from(values)),
                statement="", quote="", line=0,
                valid=Period(draw(_stated), draw(_stated)),
                said=draw(_said),
                kind=draw(st.sampled_from([ClaimKind.ENDS, ClaimKind.YIELDS])) if ends else ClaimKind.HOLDS,
                recorded_at=Instant(draw(st.integers(0, 3))),
                replaced=None if ends else draw(st.one_of(st.none(), moments.map(lambda m: Bound(m, Basis.OBSERVED)))),
            )
        )  # fmt: skip
    return out
