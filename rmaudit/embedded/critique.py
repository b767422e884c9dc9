"""How critique is phrased: a merit, a fault, a comparison, a place, a word about the request.

Regular expressions of the embedded labeller, matched on lower-case text outside quotations, with
single spaces and without the names of the responses.
"""

from __future__ import annotations

import regex

_STRONG = (
    r"handl(?:es?|ed)|deals? with|respects?|honou?rs|address(?:es)?|rhymes|keeps? (?:to|within)"
    r"|thinks? of|covers?|warns?|follows?|meets?|fulfil\w*|satisf\w+|considers?|accounts? for"
    r"|acknowledges?|identif\w+|demonstrates?|illustrates?|points? out|clarif\w+|answers|stays"
    r"|sticks|supports?|verif\w+|checks|captures|conveys|preserves|ensures?|avoids?|tackles?"
    r"|maintains?|encourages?|guides?|anticipates?|takes? care of|knows|explains?|succeeds?"
    r"|resolves?|gets? (?:\w+ ){1,4}right|breaks? (?:\w+ ){0,4}down|accommodates?|tailors?"
    r"|accomplishes|takes (?:\w+ ){1,4}(?:into account|seriously)"
)
_NEUTRAL = (
    r"names?|lists?|gives?|shows?|picks?|suggests?|recommends?|mentions?|adds?|puts?|states?"
    r"|plans?|uses?|selects?|translates?|converts?|provides?|includes?|offers?|cites?|quotes?"
    r"|describes?|notes?|defines?|derives?|computes|calculates|arrives|reaches|ends(?! up)|opens"
    r"|begins|starts|works?|allows?|lets?|makes?|compares?|walks?|presents?|delivers?|supplies"
    r"|tells? (?:the )?(?:user|reader|patient)s?|advises?|comes? (?:from|straight)|touches|brings?"
    r"|promises?"
)
STRONG_MERIT = regex.compile(rf"\b(?:{_STRONG})\b")
"""Verbs that state a merit."""
MERIT = regex.compile(rf"\b(?:{_STRONG}|{_NEUTRAL})\b")
"""Verbs that state a merit where nothing says that it is a fault."""

NO_FAULT = regex.compile(
    r"\b(?:without|no|not (?:any|a single)|free (?:of|from)|avoids?) (?:any |making )?(?:\w+ )?"
    r"(?:errors?|mistakes?|bugs?|issues?|problems?|faults?|flaws?|fluff|jargon)\b"
    r"|\bnot only\b|\bnot just\b|\bnothing (?:is )?missing\b|\bleaves? nothing out\b"
    r"|\b(?:error|bug|mistake|jargon)-free\b|\bonly (?:after|when|once|if)\b"
)
"""Words of fault that deny one."""

_NEGATIVE = (
    r"un(?:clear|safe|professional|helpful|natural|necessar|supported|related|finished|realistic"
    r"|usable|tested|readable|structured|focused|convinc|interest|original|pleasant|gramm|idiomatic"
    r"|suitable|true|warranted|verif|reliable|kind|friendly|organi[sz]ed|explain|fortunate|even)\w*"
    r"|in(?:appropriate|complete|consisten|coheren|sufficien|adequa|effective|efficien|sensitive"
    r"|sincer|secure)\w*|im(?:practical|precise|polite|plausib|proper)\w*"
    r"|ir(?:relevan|responsib)\w*|il(?:legal|logical|legib)\w*|dis(?:organi|respect|jointed|tract)\w*"
    r"|mis(?:understand|understood|lead|read|trans|judg|interp|quot|stat|represent|calculat|count"
    r"|handl|match|use|spell|inform)\w*"
)
FAULT = regex.compile(
    r"\b(?:not|no|never|nothing|nowhere|none|nor|neither|without|cannot|\w+n't|hardly|barely"
    r"|only|too|instead of|rather than|where the|where \w+ (?:is|are|was|were)|although|though"
    r"|but|yet|despite|however|whereas|fails?|failed|failing|failure|falls? short|lacks?|lacking"
    r"|lack of|miss(?:es|ed|ing)?|omit\w*|ignor\w*|overlook\w*|neglect\w*|forget\w*|forgot\w*"
    r"|skips?|drops|leaves? (?:\w+ )?(?:out|no)|wrong\w*|incorrect\w*|inaccura\w*|errors?|mistakes?"
    r"|mistaken|false\w*|bugs?|buggy|flaws?|flawed|faulty|invalid|broken|confus\w*|conflat\w*"
    r"|mixes up|contradict\w*|invent\w*|fabricat\w*|hallucinat\w*|made[- ]up|exceed\w*"
    r"|over (?=(?:the|its|\d))|above the|beyond|strays?|goes off|off[- ]topic|sidetracked|rambl\w*"
    r"|vague\w*|generic|superficial|shallow|poor\w*|weak\w*|bad|badly|worse|worst|useless|verbose"
    r"|wordy|long-winded|bloated|padded|repetitive|redundant|dangerous\w*|harmful|risky|vulnerable"
    r"|careless\w*|crash\w*|raises|throws (?:an? )?\w*(?:error|exception)"
    r"|breaks(?! (?:\w+ ){0,4}down)|violat\w*|disregard\w*|assum\w*|claims?|pretends?"
    r"|changes? (?:the|its|his|her|their|what)|little|less|fewer|problem\w*|needless\w*|messy"
    r"|clumsy|clunky|awkward|rude|blunt|dismiss\w*|afterthought|myth|nonsense|betray\w*|should"
    r"|uses the (?:word|phrase|term)|stops at|gamble|slogan|far (?:from|off)|refus\w*|declin\w*"
    r"|tries to sell|mediocre|dull|boring|bland|tedious|sloppy|lazy|subpar|disappointing"
    r"|forbid\w*|forbad\w*|ban|bans|banned|prohibit\w*|rul(?:es|ed) out|not allowed|against the"
    r"|miscop\w*|would be (?:correct|right)|is said to be|in fact|twice"
    r"|(?<!as )expected|exclamation mark"
    r"|(?<!as )(?<!what )(?<!that )(?<!everything )the (?:request|brief|prompt|task|problem"
    r"|question) (?:asks|wants|says|demands|rules|requires|forbids)"
    r"|unwanted|unasked|off limits|belongs|clumsier|messier|error-prone|requested \w+ was"
    r"|was (?:demanded|required|specified|ruled out|banned|forbidden|prohibited)"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:was|were|is|are) "
    r"(?:asked|wanted|allowed)\w*"
    rf"|{_NEGATIVE})\b"
)
"""What marks a fault; a sentence that has one is no mere praise."""

_BETTER = (
    "better|worse|clearer|stronger|weaker|longer|shorter|simpler|plainer|warmer|nicer|richer|safer"
    "|deeper|fuller|easier|harder|faster|slower|closer|friendlier|livelier|smoother|cleaner|tidier"
    "|neater|briefer|broader|wider|sharper|crisper|tighter|higher|lower|greater|superior|inferior"
    "|preferable|poorer|smarter|kinder|calmer|bolder|cleverer|finer|truer|fairer|handier"
)
_NO_NOUN = r"(?<!\bas the )(?<!\bas a )"
COMPARISON = regex.compile(
    rf"{_NO_NOUN}\b(?:{_BETTER})\b(?! than \d)"
    rf"|{_NO_NOUN}\b(?:more|less|fewer)\b(?! than (?:\d|an?\b|one\b|two\b|three\b))"
    r"|\bthe other\b|\bunlike\b|\bwhereas\b|\bcompared\b|\bthan (?:response|the other)\b"
    r"|\bboth (?:responses|answers|of them|are|do|have|give)\b|\bouts?hines?\b|\boutperform\w*"
    r"|\bsurpass\w*|\bbeats?\b|\bequal(?:ly good)?\b|\bprefer\w*|\bwins?\b|\bwinner\b"
    r"|\bas (?:good|bad|well) as\b"
)
"""What sets one response against the other, without naming it."""

_UNITS = (
    r"line|paragraph|sentence|stanza|verse|bullet|item|section|part|point|row|column|step|example"
    r"|equation|case|clause|word|half|couplet|loop|call|argument|branch|test|assertion|query"
)
PLACE = regex.compile(
    rf"\b(?:{_UNITS}|chapter|page|function|method)s? (?:\(?[a-z0-9]\)?(?![\w'])|number \w+)"
    r"|\b(?:first|second|third|fourth|fifth|sixth|last|final|opening|closing|penultimate|next"
    rf"|previous|middle) (?:\w+ )?(?:{_UNITS})s?\b"
    r"|\b(?:km|cm|mm|m|kg|g|mg|ml|l)/(?:s|h|min|kg|l|day)\b|(?<![\w-])--?[a-z][\w-]+"
    r"|\b(?:\w{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|dozen)\b"
)
"""A place in a response, a unit, an option of a command, or a number that is not small."""

NO_EVIDENCE = regex.compile(
    r"(?i)\b\d+(?:[.,]\d+)? ?(?:/|out of) ?(?:5|10|100)\b"
    r"|\b(?:rated?|scores?|scored|give it) (?:an? )?\d+"
    r"|\b100 ?%|\b(?:these|those|the|of) two\b|\btwo (?:responses|answers)\b|\bnumber one\b"
    r"|\b\d+ (?:stars?|points?|marks?)\b|\bstep by step\b|\bstep-by-step\b|\b\w+-year-olds?\b"
)
"""Numbers that nobody can look up: marks, and how many responses there are."""

CRITERION = regex.compile(
    r"\b(?:wrong|another|other|same|requested|target|right|about the|the) language\b"
    r"(?! (?:of|in|is|used|feels|reads))"
    r"|\bwrong (?!answer|response|result|conclusion|way|in\b|on\b|about|and\b|or\b|instruction)\w+"
    r"|\b(?:check|verif(?:y|ies))s? (?:its|the|their|every|each)\b"
    r"|\bgets? the (?!answer|response|result|conclusion)(?:\w+ ){1,2}(?:wrong|right)"
)
"""A criterion in words that can also be about style or correctness."""

NAMED = regex.compile(
    r"\b(?:the|an?|any|no|its|their|of|in|into|on|for|about|to|with|how|what|which|'s)"
    r" (?:\w+ )?(\w{4,})(?<!ly)\b"
)
"""A word where a noun may stand."""

RELEVANCE = regex.compile(
    r"\b(?:(?:ir)?relevan\w+|(?:off|on)[- ]topic|topical|the topic|pertinent|responsive|directly"
    r"|head-on|questions?|requests?|tasks?|prompts?|quer(?:y|ies)|(?<!wrong )instructions?"
    r"|requirements?"
    r"|constraints|the brief|(?:user|users|his|her|their|the) (?:\w+ )?needs?|user intent"
    r"|helpful\w* to|align(?:ed|s) with|true to (?:the|what)|on point|fit for purpose"
    r"|(?:what|as|everything|all|anything) (?:\w+ ){0,4}"
    r"(?:asked|requested|needed|needs?|wants?|wanted|expect(?:s|ed)?)(?: for| to know)?"
    r"|than (?:\w+ ){0,3}(?:asked|requested)(?: for)?)\b"
)
"""What says that a response is about the request, and no more."""

WRITTEN = regex.compile(r"\b(?:well|better|best|poorly|badly|nicely|beautifully)[- ]written\b")
"""Style in a word that is often about something else."""

ENGLISH = frozenset(
    "a an and are as at be because but by for from has have in is it its not of on or so than that "
    "the this to was where which while with would response more does says gives".split()
)
FOREIGN = frozenset(
    "el la los las un una que y en es por con para del se lo su como más pero le les des est et "
    "une dans qui pas pour sur plus au der die das und ist nicht ein eine den von zu mit auf im "
    "sie auch als wird dem il di che non per sono della uma não com os um o e".split()
)
"""Small words by which a language is told."""
