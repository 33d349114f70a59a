"""The English words that stand around a phrase."""

from __future__ import annotations

import re
from typing import Final, Literal

from kgmem.extraction.dates.words import DAYTIMES, DECADES, MONTHS, SEASONS, UNITS, WEEKDAYS

Tense = Literal["present", "base", "past", "participle", "ing", "bare"]
"""The form of a verb. ``past`` is also the participle of a regular verb; ``bare`` is a participle without "is"."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DATE_WORDS: Final = frozenset().union(MONTHS, WEEKDAYS, SEASONS, DECADES, UNITS, DAYTIMES) | _words(
    "today tonight yesterday tomorrow christmas xmas easter halloween valentine boxing"
)
"""A sentence with none of these and no digit holds no date."""
ADVERBS: Final = _words(
    "now still currently also just recently already then later officially finally presently proudly happily soon"
    " initially first previously formerly briefly eventually permanently subsequently originally once"
)
"""These may stand between a subject, its verb and its object, and change nothing."""

HEDGES: Final = _words(
    "if unless whether would might could should may must shall perhaps maybe probably possibly allegedly reportedly"
    " supposedly apparently presumably hopefully seemingly imagine suppose pretend wish wishes wished hope hopes hoped"
    " hoping want wants wanted plan plans planned planning intend intends intended consider considers considering"
    " rumor rumors rumour rumours claims claimed claiming alleges alleged says say said saying told tells tell thinks"
    " think thought believes believe believed heard hears guess guesses assume assumes assumed assuming dreamt dreamed"
    " fictional hypothetical hypothetically according doubt doubts denies denied pretended pretends wonder wonders"
    " wondered example lest almost nearly asks asked asking expects expected hypothesis"
    " false falsely untrue untruth myth hoax fake wrong wrongly mistaken mistakenly incorrect incorrectly lie lies"
    " theoretically metaphorically ironically jokingly joking kidding joke prank"
)
"""A sentence with one of these says what may be, what others say, or what is not so."""
UNSAID: Final = re.compile(
    r"\b(?:going to|seems to|supposed to|used to think|about to|for instance|e\.g\."
    r"|not (?:true|so|right|correct|the case)|no longer true|in theory|on paper|in name only|not really"
    r"|(?:every|any|no)(?:one|body| one| \w+) (?:but|except|besides|apart from))\b"
    r"|\(\d{1,2}(?:[,-] ?\d{1,2})*\)\W*$|\bnot\W*$|^\W*(?:had|were|should)\s"
    r"|\bor so (?:\w+ ){1,3}(?:claim|say|said|think|thought|believe|seem|hear|heard|tell|told|assume|goes|went)"
)
"""A sentence, in lower case, that says what is not so, or not of whom it names; or a clue: "left Paris (4)"."""
TAKEN_BACK: Final = re.compile(
    r"(?:but |yet |however,? )?(?:it|that|this|which|all of it) (?:later |soon )?"
    r"(?:(?:turn(?:s|ed)|came) out (?:to be |that (?:it|that|this) (?:was|is) )?|proved (?:to be )?|was |is |were )"
    r"(?:all |just |only |simply |completely |entirely )?"
    r"(?:(?:a |an )?(?:lie|hoax|mistake|joke|rumou?r|misunderstanding)"
    r"|false|untrue|wrong|mistaken|incorrect|made up|invented|nonsense|not (?:true|so|right|the case))\b"
)
"""What takes back all that was said before it in the sentence, or in the one before, in lower case."""
INVENTED: Final = re.compile(
    r"\b(?:character|protagonist|heroine|antagonist|villain|fiction)\b"
    r"|\b[Ii]n (?:the|a|an|my|our|his|her|their|this|that|one|another|some|\w+['’]s) (?:[\w-]+ ){0,2}?"
    r"(?:film|movie|novel|book|dream|nightmare|series|sitcom|story|tale|fairytale|show|episode|game|play|comic|manga|script|screenplay|musical|opera"
    r"|cartoon|saga|trilogy|sequel|prequel|adaptation|fantasy)(?![\w-])"
)
"""What stands beside these happened in a work of the mind; as part of a name they begin with a capital."""
INVENTIONS: Final = _words(
    "dream dreams nightmare nightmares fiction fictional fanfiction plot storyline synopsis screenplay worldbuilding"
    " novel roleplay"
)
"""A title, heading or tag with one of these stands above what nobody did."""
HARMLESS_LABELS: Final = (
    _words(
        "update updates news note info fyi ps edit log fact facts status today yesterday tomorrow work job career"
        " home family life bio biography background summary about education contact now address moved history result"
        " results recap highlights people morning afternoon evening tldr remember reminder"
        " present attendees participants agenda minutes decision decisions"
    )
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
"""Before a colon, these say what follows, and not who said it."""
DOUBTED_LABELS: Final = _words("idea ideas fool fools story rumour rumor theory hypothesis goal quote example question")
"""What follows these is not so, or not yet."""
QUOTING: Final = re.compile(r"\s*(?:>\s*)*\[!(?:quote|cite|example|question)\b", re.IGNORECASE)
"""How a callout begins that holds the words of others, or nobody's."""

HAVE: Final = _words("has have had having")
BE: Final[dict[str, Tense]] = {
    "is": "present", "are": "present", "am": "present", "was": "past", "were": "past", "been": "participle",
    "being": "ing", "be": "base",
}  # fmt: skip
"""The forms of "be" by what they tell of time."""
BEGUN: Final = _words("started began begun starts begins")
STOPPED: Final = _words("stopped quit ceased stops ceases quits")
ARTICLES: Final = _words("a an the")
CONJUNCTIONS: Final = _words("and but then &")
CLAUSE_STARTS: Final = _words(
    "but while whereas because so when where although though as since after before that which"
)
"""A clause, and with it a subject, may begin after these."""
PRESENT_IS_NOT_FACT: Final = _words("when once after before until till")
"""With a verb in the present, a clause after these lies ahead."""
NEVER_FACT: Final = _words("before until till unless if whenever whether provided providing assuming")
"""A clause after these need never have come true."""
NOT_YET: Final = _words("soon long")
"""After "as soon as" and "as long as", a clause in the present lies ahead, or is a condition."""
CONDITIONS: Final = _words("provided providing assuming supposing case condition event unless")
"""After "that" behind these, a clause is a condition: "on condition that"."""
ORDERS: Final = _words(
    "record write note remember remind make ensure ask tell check verify confirm mention add log save store say state"
    " report forget pretend"
)
"""Verbs that order something of what stands after them, where nobody does them: "Make sure that Bo owns it"."""
BEFORE_ORDERS: Final = _words("please and then also to don't not always just never , : ; . ! - — –")
BACKGROUND: Final = _words("when once after since as while")
"""A clause after these tells of what was long known: it is not as old as the note."""

DETERMINERS: Final = _words("the my our his her their a an your this dear old dr mr mrs ms prof professor")
NO_NOUN: Final = _words(
    "of with for to from by at in on and than who that which or near under over like without about against between"
    " into onto through as is was are were has had have not no"
)
"""Words that cannot stand inside of "my old friend" before a name."""

AFTER_OBJECT: Final = _words(
    "and but or as since from until till in on at with for where who which that while when because so then now again"
    " after before during to by via near under through although though whereas alongside together too currently"
    " permanently full-time part-time recently where's instead just today yesterday last he she they it i we there here"
    " anymore"
)
"""Words that may follow a name; any other makes it a part of something longer."""

OPENERS: Final = (
    _words(
        "i he she it they we you this that these those the a an there here who what which when where why how my our"
        " his her their its your someone somebody everyone everybody anyone anybody nobody none nothing everything"
        " something no not yes yesterday today tomorrow tonight yet if while although though because since after"
        " before as at in on for from with without to by of and but or so then also now still just recently later"
        " currently finally first last next people most many some few all both each every another other others one two"
        " three more less much only even never always often sometimes usually maybe perhaps let please thanks note"
        " notes todo see mom dad married born joined met left moved founded life time work home god nature"
        " had has have is are was were did do does can could will would shall should might must not"
        " once until till unless whenever provided whether"
    )
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(f"{day}s" for day in WEEKDAYS)
)
"""Capitalised only because a sentence begins, or no name of anyone."""

GIVEN_NAMES: Final = _words("may april june august")
"""Months that, with another name after them, are somebody's."""
TITLES: Final = _words(
    "lord lady sir king queen prince princess duke duchess earl count president captain bishop pope doctor professor"
    " mr mrs ms dr minister secretary chairman general colonel saint"
)
"""These name nobody by themselves."""
INSIDE_NAMES: Final = _words(
    "of the de da do dos das del della di la le el al van von der den du des für y e & st ibn bin"
)
"""Lower-case words inside of a name: University of Vienna, Ludwig van Beethoven."""
HONOURS: Final = _words("prize award medal decoration honour honor order fellowship scholarship oscar")
"""After these, a name may go on with "in" or "for"."""
ABBREVIATED: Final = _words("st dr mr mrs ms prof jr sr ft mt no inc ltd co corp bros")
"""Before their stop, these go on with a name."""

NO_TEXT: Final = _words(
    "it this that these those them him her me you us they he she we how what when where why who which whom the my your"
    " his their its our to being be is are was if as than about having"
    " not all both every each some any one something anything everything nothing someone everyone"
    " nobody myself himself herself themselves yourself more most less of for from in on at with by"
)
"""Words that make a few words after a verb more than the name of a thing."""
TEXT_ENDS: Final = _words("but because since so although though whereas while over now")
TEXT_TAILS: Final = _words("very much a lot too again now really so still anymore more well today forever always")

PERSONAL: Final = _words("he she")
