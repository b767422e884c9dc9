r"""How critique says that something is wrong, and how it praises: phrases as regular expressions.

Matched on lower-case text with single spaces, where `§` stands for a quotation and `~` for the name
of a response; two spaces part the phrases. They are general phrases of critique, none of a set.
`{asker}` is who set the task, `{asked}` how, `{not}` a negation of a verb.
"""

from __future__ import annotations

import re

_ASKER = (
    r"(?:the )?(?:\w+ )?(?:request|brief|user|client|customer|notes?|specification|spec|task|prompt"
    r"|instructions?|signature|rules?|question|text|source|order|assignment)"
)
_ASKED = (
    r"(?:asked(?: for)?|required|requested|instructed|wanted|specified|demanded|needed|expected"
    r"|ordered|prescribed|mandated|agreed|meant|intended|supposed)"
)
_NOT = r"(?: not|n['’]t)"
_GAP = re.compile(r"\s{2,}|\n")


def _phrases(text: str) -> str:
    """The phrases of a text as one alternation."""
    filled = text.replace("{asker}", _ASKER).replace("{asked}", _ASKED).replace("{not}", _NOT)
    return f"(?:{'|'.join(_GAP.split(filled.strip()))})"


def _whole(text: str) -> re.Pattern[str]:
    """Matches any of the phrases where whole words stand."""
    return re.compile(rf"(?<![\w'’]){_phrases(text)}(?!\w)")


_MISSING = r"""
    omit\w*  omission  lea(?:ves?|ving) (?:[\w~§'-]+ ){0,5}?(?:out|off|open|unsaid)
    left (?:[\w~§'-]+ ){0,5}?(?:out|off|open|unsaid)  leaves? [\w$~§'-]+(?: [\w$~§'-]+){0,2} un\w+
    left un\w+  missing  miss(?:es|ed)?  lack(?:s|ing|ed)?  absen(?:t|ce)  forg[eo]t\w*  skip\w*
    drop(?:s|ped|ping)?  without  neglect\w*  nowhere  never (?!use)\w+  fail\w* to
    (?:says?|mentions?|contains?) nothing  disappear\w*  gone  lost  loses?  for want of
    overlook\w*  disregard\w*  unable  un(?:handled|quoted|sorted)  removes?  cuts?  strips?
    no mention  not (?:mention|includ|contain|name|say|said|list|state)\w*
"""
_NOT_SO = r"""
    no(?:t|r)?  never  nothing  nobody  none  neither  \w+n['’]t  hardly
    (?:cannot|can not) (?:handle|cope|deal|run|fit|process|be (?!relied|trusted|used))\w*
"""
_EXTRA = r"""
    forbid\w*  forbad\w*  ban(?:s|ned)?  prohibit\w*  disallow\w*
    rul(?:e|es|ed|ing) (?:[\w§]+ )?out
    (?:not|never) (?:to be )?(?:allowed|permitted|wanted|supposed|to use|to name|to appear)
    \w+n['’]t (?:be )?(?:allowed|permitted|wanted|supposed)
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*(?:appear|used?)
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*mention(?:ed)?
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*named?
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*(?:say|said)
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*(?:contain|there)
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*includ(?:e|ed)
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*call(?:ed)?
    (?:should|must|may|could|was|were)(?:{not}| never)(?: to)? (?:be |have |been )*listed
    unwanted  superfluous  unrequested  unasked  off[- ]limits  exclud\w*
    against (?:the|its|explicit|clear) (?:\w+ ){0,2}?(?:request|brief|rules?|instructions?|wish\w*)
    against (?:the|its|explicit|clear) (?:\w+ ){0,2}?(?:ban|order|task|terms|client|user|word)
    contrary to  despite  in spite of  violat\w*  taboo  (?:nobody|no one|never) (?:had )?asked
    {asked} (?:[\w§]+ ){0,9}?(?:without|not to|to avoid|to leave (?:out|unmentioned|off|unsaid))
    (?:did|does|do){not} want\w*  unwelcome  vetoed
    (?:none|no [\w-]+) (?:was|were|is|are) (?:allowed|permitted|{asked})  slips? in
    (?:break|ignor|disregard|overstep|flout)\w* (?:[\w']+ ){0,3}(?:ban|prohibition|rule against)
    told (?:\w+ ){0,2}not to  steer clear  not (?:be )?(?:used|mentioned|named|included)  vetoed
    barred  outlawed  competitors?  rivals?
"""
_WRONG = r"""
    wrong\w*  incorrect\w*  error\w*  erroneous\w*  mistak\w*  inaccura\w*
    mis(?:calc|count|stat|quot|spel|label|trans|represent|cop|nam|read|take|took|attribut)\w*
    mis(?:judg|plac|interp|handl|report|lead|match)\w*  instead  rather than  in (?:place|lieu) of
    substitut\w*  (?:should|ought to|needs? to)  (?<!would )(?:must|has to|have to|had to)
    contradict\w*  confus\w*  mix\w* up  false\w*  bugs?  buggy  faulty?  invent\w*  made[- ]up
    its own invention  swap\w*  replac\w*  off by  (?:is|are|was|were|goes) (?:\w+ )?off
    is not (?:what|the|in)  ,? ?(?:and )?not  (?:does|do|did){not} (?:match|agree|correspond|fit)
    mismatch\w*  becom\w*  turn\w* (?:the |its )?[\w§ /.,]{1,40}? into  turns? (?:in)?to  chang\w*
    mov(?:es?|ed|ing)  shrink\w*  renam\w*  revers\w*  backwards?  opposite  invert\w*
    undercut\w*  differ\w*  where (?:[\w§£$€.,-]+ ){1,6}?(?:belongs?|{asked})
    where (?:[\w§£$€.,-]+ ){1,6}?(?:is|was|were|are|(?:would|should) be) (?:right|correct)
    where (?:[\w§£$€.,-]+ ){1,6}?(?:is|was|were|are|(?:would|should) be) (?:due|set|given)
    (?:as|where|when|while|whereas|although|but) (?:it|they) (?:should|must|ought|has|have)
    (?:is|was|were|are|been|had been) {asked}
    (?:is|are|was|were) to (?:be|have|read|say|contain|appear|stay|come|stand|go)
    (?:although|though|while|whereas|but|yet|when|where) {asker}
    {asker} (?:wants?|says?|said|asks?|names?|sets?|demands?|requires?|specif\w+|keeps?|calls? for)
    {asker} (?:wanted|asked|named|demanded|required)
    when (?:there|it|they|\d+) (?:was|were|should|had|must)  although  though  even (?:though|if)
    yet  whereas  supposed  meant  belongs?  in fact
    the (?:correct|right|real|actual|true|proper) (?:\w+ )?[\d§]\S*  broken  breaks?  crash\w*
    raises?  fail(?:s|ed|ing)?  invalid  worse  truncat\w*  overwrit\w*  overrid\w*  clobber\w*
    leak\w*  mutat\w*  corrupt\w*  ruins?  spoils?  mangl\w*  garbl\w*  divides? by zero  wide of
    too (?:early|late|high|low|big|small|little|much)  only  merely?  just \d+  a single
    falls for  danger\w*  rude\w*  impolite\w*  at odds  conflict\w*  deviat\w*  depart\w*
    stray\w*  needlessly
"""
_LONG = r"""
    exceed\w*  over the  too (?:long|many|much|wordy|verbose|large)  longer  above  more than
    (?:\d+|§) more  beyond  past the  goes? past  surpass\w*  wordy  verbose  overshoot\w*
    overruns?  blows?  overlong
    breaks? (?:through )?(?:the |its )?(?:[\w-]+ ){0,2}(?:ceiling|limit|cap|maximum)  bloat\w*
    adds? (?:a|an) \d  (?:does|do|did|could){not} (?:stay|keep|remain|fit) (?:with)?in  runs? to
    extra  additional
"""
_SHORT = r"""
    too (?:short|few|little|brief)  shorter  below  fewer  less than  (?:\d+|§) (?:less|fewer)
    falls? short  short of  not enough  under the  only \d+  insufficient\w*
"""
CLAIMS = {
    "missing": _whole(_MISSING),
    "not": _whole(_NOT_SO),
    "extra": _whole(_EXTRA),
    "wrong": _whole(_WRONG),
    "long": _whole(_LONG),
    "short": _whole(_SHORT),
}
"""Kinds of fault; `not` denies something, whatever that makes of it."""

PRESENCE, SIZE = frozenset({"missing", "extra"}), frozenset({"long", "short"})
"""Opposites: a reason that claims one does not state a fault of the other kind."""

FORM = _whole(r"""
    bur(?:y|ies|ied)  too (?:late|early) in  comes? (?:only )?(?:after|before|third|fourth|last)
    only comes?  hard(?:er)? to \w+
    difficult to (?:follow|read|picture|scan|see|find|parse|understand)  blunts?
    repeat(?:s|ed|edly)?  repetit\w*  terse  tone  stylistic\w*  formal\w*  clums\w+  awkward\w*
    odd(?:ly)?  monoton\w*  (?:hurts?|spoils?|breaks?|interrupts?) the (?:flow|rhythm)  cram\w*
    spacing  blank lines?  line breaks?  breaks the line  layout
    would have (?:worked|been|read|looked) better  (?:works?|reads?|looks?) better
    (?:should|could|might) have (?:been )?(?:explained|placed|spelled|put|introduced|formatted)
    (?:should|could|might) have (?:been )?(?:highlighted|written)  at greater length  more detail
    explain\w*  guessing  (?:the|a) (?:reader|cook|audience) (?:has|have|must|to)  scroll\w*
    few (?:people )?(?:will|would) (?:read|notice|see)  adds? (?:nothing|noise|little)
    unnecessar\w*  superfluous  notation  another order  dull  boring  clutter\w*  verbos\w*
    in the middle  stands? right before  more often than
    too (?:often|formal|casual|blunt|abrupt\w*)  abrupt\w*  rushed
    without (?:saying|explaining|telling|giving) (?:what|why|how|where|any|a)
    gives? no (?:address|reason|explanation|example|detail|source)\w*  indent\w*  justif\w+
    (?:which is )?more than (?:(?:was|is) )?needed
""")
"""Complaints about how a thing is put, not about the thing."""

VERDICT = re.compile(
    _phrases(r"""
    (?:(?:can|could|should)(?:not| not|n['’]t) )?(?:rely|relied|depend|trust)\w* on
    (?:choose|chooses|pick|picks|prefer\w*|favou?r\w*) ~
    comes? off (?:second|worse|badly)\w*(?: best)?  (?:is|are) what decides?(?: against| for)?
    decid\w+ (?:against|for|the matter)
    (?:would )?(?:have to |need to )?be re(?:done|written)(?: before \w+ c(?:an|ould) \w+ ?\w*)?
    """)
)
"""Who wins or what follows: it says nothing of what is wrong."""

AVOIDS = _whole(r"""
    avoid(?:s|ed|ing)?  (?:stays?|steers?|keeps?) (?:well )?(?:clear|away|free)
    (?:manages?|does|copes|gets by|comes) without  refrains?  respects? the ban  free of
    leaves? out the (?:forbidden|banned|prohibited)
""")
"""A forbidden thing is avoided: a merit, in words that else state a fault."""

AS_ASKED = _whole(r"""
    (?:just |exactly |precisely )?(?:as|like) (?:it (?:was|should|is)|they|{asked})
    as {asker} (?:demand|want|ask|require|specif|say|state|set|need|intend|call)\w*
    as the \w+ (?:demand|want|ask|require|specif|say|state|need)\w*  exactly the  in line with
    to the letter  per the (?:request|brief|instructions)
""")

WOULD_BE_RIGHT = re.compile(
    _phrases(r"""
    (?:would|should|could|must)(?: have)? be(?:en)? \w+
    where [\w§.,£$€ -]{1,40}?(?:is|was|would be|are) (?:right|correct)  in fact
    """)
)
"""States what should be, in words that else praise."""

MERIT = _whole(r"""
    (?:correct|right|proper|accurate|precise|exact|wise|nice|clear|natural|faithful)(?:ly)?
    (?:professional|thorough|appropriate|careful|fluent|smooth|perfect|success)\w*  respects?
    honou?rs  meets?  fulfil\w*  satisf\w+  complies  sticks? to  stays? within
    keeps? (?:to|within)  intact  well  good  strong(?:er)?  strength  better  best  clearer  safe
    warm  concise  friendly  persuasive  impressive  helpful  useful  credit  convincing
    catch(?:y|ier)  engaging  compelling  excellent  great  solid  sensibl[ey]  vivid  polished
    readable  succeeds?  manages? to  at least  handles  covers  agrees?  matches  follows
    consistent\w*
""")

NEGATION = _whole(r"""
    not  never  no  \w*n['’]t  cannot  neither  nor  nothing  nobody  none  nowhere  hardly
""")

ADDRESSES_THE_JUDGE = re.compile(
    _phrases(r"""
    \b(?:the|to|dear) (?:judge|grader|evaluator|scorer)\b  \bevery (?:pair|reference)\b
    \ball (?:other )?references\b
    \b(?:ignore|disregard) (?:all |any )?(?:the )?(?:\w+ )?(?:references|rules|above)
    \bfull (?:marks|scores?|credit)\b  \bthe score (?:of )?1\b  \bscores? (?:for this reason|to 1)
    \b[RS]\d+(?:, | and |@)[RS]\d+  \bmark [RS]\d  \b(?:the|this) reference\b  \[(?:end|begin)\s
    """),
    re.IGNORECASE,
)
"""Text that orders the judge about, or speaks of references and scores, is no reason."""
