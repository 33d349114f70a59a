"""The words of English dates, all in lower case."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> list[str]:
    return text.split()


MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}

CLEAR_MONTHS: Final = frozenset(_words("january february april june july september october november december"))
"""Names that are a month in lower case too: no verb, adjective or abbreviation of something else."""

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed",
            "thursday thu thur thurs",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
"""Monday is 0, as in `datetime.date.weekday`."""

SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The first of a season's three months, on the northern half of the earth."""

NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        _words(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty"
        ),
        start=1,
    )
} | {"a": 1, "an": 1}

ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        _words(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        start=1,
    )
} | {"thirtieth": 30}

TENS: Final = {"twenty": 20, "thirty": 30}

DECADES: Final = {
    "thirties": 1930,
    "forties": 1940,
    "fifties": 1950,
    "sixties": 1960,
    "seventies": 1970,
    "eighties": 1980,
    "nineties": 1990,
}
"""The twenties are missing on purpose: they may be of either century."""

UNITS: Final = {
    f"{unit}{ending}": unit
    for unit in ("day", "week", "weekend", "month", "quarter", "year", "decade", "fortnight")
    for ending in ("", "s")
}

VAGUE: Final = {"couple": (1, 3), "few": (2, 5), "several": (2, 5)}
"""How many units a vague count may mean, from and to."""

PARTS: Final = {"early": 0, "mid": 1, "late": 2}
EDGES: Final = {"beginning": 0, "start": 0, "middle": 1, "end": 2, "close": 2}

DAYTIMES: Final = frozenset({"morning", "afternoon", "evening", "night", "noon", "midday", "midnight", "lunchtime"})

OPEN_ENDS: Final = frozenset({"now", "present", "today", "ongoing"})
"""The last word of a period that has not ended."""

AFTER_A_DAY: Final = frozenset(
    _words("and as at but for he i in it or she that the there they to was we were when which with you")
)
"""After "on the 5th", these go on with the sentence; any other word is what is fifth."""

BEFORE_OTHER_NUMBERS: Final = frozenset(_words("p pp page pages line lines isbn issn tel phone no nos room section"))
"""Before two numbers with a dash between, these say that they are no years."""

NAMED_WEEKDAYS: Final = frozenset(
    _words("ash black bloody cyber easter every each fat good holy maundy palm ruby shrove")
)
"""Before a weekday, these make a feast or a habit of it."""

COUNTED: Final = frozenset(
    _words(
        "attendees bytes calls calories cars cases cents characters chars children commits companies copies "
        "customers days degrees dollars emails employees entries eur euro euros feet files ft gb grams hits "
        "hours hz issues items kb kcal kg kilometers kilometres km kwh lines liters litres mb members men "
        "messages meters metres mhz miles minutes ml mm months notes pages participants people per percent "
        "persons pixels points pounds px questions records requests rows rpm seconds shares soldiers stars "
        "steps students tests times tokens units usd users volts votes watts weeks women words years"
    )
)
"""After a number, these say that it counts something and is no year and no day of a month."""
