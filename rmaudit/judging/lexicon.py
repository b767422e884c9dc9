"""Words that the embedded judge knows: what kind of fault a reason claims, praise, synonyms.

Phrases are matched on lower-case text with single spaces. The lists hold general words of
critique, none of a particular set.
"""

from __future__ import annotations

import regex

CLAIMS: dict[str, tuple[str, ...]] = {
    "missing": (
        r"omit\w*", r"leav\w+ (?:\w+ ){0,4}?out", r"left (?:\w+ ){0,4}?out", r"miss(?:es|ing|ed)?",
        r"lack\w*", r"absent", r"absence", r"forget\w*", r"forgot\w*", r"skip\w*", r"drops?",
        r"dropped", r"without", r"neglect\w*", r"nowhere", r"never (?!use)\w+", r"fail\w* to",
        r"no mention", r"(?:does|do|did|is|are|was|has|have|can)(?: not|n't) (?:\w+ ){0,2}?"
        r"(?:mention|includ|stat|contain|nam|giv|say|said|provid|list|present|use|have|handl|appear"
        r"|show|explain|return|add|ask|offer|cover|there|tell)\w*",
    ),
    "extra": (
        r"forbid\w*", r"forbad\w*", r"forbidden", r"banned?", r"prohibit\w*", r"disallow\w*",
        r"rul\w+ out", r"ruled out", r"not (?:allowed|permitted|wanted|supposed)",
        r"(?:should|must|may)(?: not|n't)(?: be)?", r"unwanted", r"extra", r"superfluous",
        r"unrequested", r"despite", r"never use\w*", r"off[- ]limits", r"excluded", r"unasked",
        r"adds?",
        r"(?:us|contain|includ)(?:es|ed|s|ing) (?:the |a )?(?:word|term|phrase|hashtag)\w*",
    ),
    "wrong": (
        r"wrong\w*", r"incorrect\w*", r"errors?", r"erroneous\w*", r"mistak\w*", r"inaccura\w*",
        r"miscalculat\w*", r"miscount\w*", r"instead", r"rather than", r"should (?:be|have)",
        r"must be", r"although", r"though", r"but", r"yet", r"contradict\w*", r"confus\w*",
        r"false\w*", r"mislead\w*", r"misstat\w*", r"misspel\w*", r"bugs?", r"buggy", r"fault\w*",
        r"not", r"\w+n't", r"no", r"neither", r"invent\w*", r"swap\w*", r"replac\w*", r"off by",
        r"where", r"fails?", r"failed", r"crash\w*", r"raises?", r"ignor\w*", r"violat\w*",
        r"breaks?", r"broken", r"invalid", r"mismatch\w*", r"while the request", r"vague\w*",
        r"unclear", r"weak\w*", r"poor\w*", r"bad\w*", r"worse", r"only",
    ),
    "long": (
        r"exceed\w*", r"over the", r"too (?:long|many|much|wordy|verbose)", r"longer", r"above",
        r"more than", r"beyond", r"surpass\w*", r"over", r"wordy", r"verbose",
    ),
    "short": (
        r"too (?:short|few|little|brief)", r"shorter", r"below", r"fewer", r"less than",
        r"falls? short", r"not enough", r"under",
    ),
}  # fmt: skip
"""Fault claims. `wrong` goes with every other claim."""

OPPOSED = (frozenset({"missing", "extra"}), frozenset({"long", "short"}))

PRAISE = (
    "accurate accurately appealing appropriate attractive balanced best better catchy clear "
    "clearer clearly coherent compelling complete comprehensive concise correct correctly creative "
    "effective elegant engaging excellent fluent follows good great helpful impressive informative "
    "meets natural nice persuasive pleasant polished precise professional readable relevant "
    "respects smooth solid strong stronger thorough useful vivid warm well"
).split()

SYNONYMS = (
    "mention say state name write call include contain give list provide use advertise show",
    "price cost charge dollar usd euro amount",
    "city place town location ship",
    "request brief prompt task instruction user ask require demand",
    "word term phrase expression",
    "character letter char length",
    "bullet point item",
    "answer result final total value",
    "function method routine def",
    "return output give yield",
    "number figure count",
    "heading header title",
    "key field property",
    "unit measure",
    "input argument parameter",
)

GENERIC = (
    "answer argument asks bullet call character city class code cost count dollar fact field "
    "function give heading idea include input item key length letter limit line list maximum "
    "mention method minimum name number output parameter part phrase place point price product "
    "prompt reply request required requirement response result return say sentence ship show "
    "solution state statement step string task text thing title total type unit use user value "
    "version word write advertise advertises advert ad copy slogan contain contains instead also "
    "very more most much many leave forget omit miss lack skip exceed wrong incorrect error "
    "mistake never nowhere anywhere fail forbidden banned feature detail"
).split()
"""Content words of critique that point to nothing specific."""

STOP = frozenset(
    "a an and are as at be been being by can could did do does for from had has have he her his i "
    "if in into is it its just of on one or our she so some such than that the their them then "
    "there these they this those to too up us was we were what when which who why will with would "
    "you your about after again all any because before both each few further here how me my off "
    "once other own same until out where while not no nor only response responses s t".split()
)

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), start=2
    )
}

CLAIM_PATTERNS = {
    claim: regex.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)")
    for claim, phrases in CLAIMS.items()
}
