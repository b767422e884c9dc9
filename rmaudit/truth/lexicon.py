"""The closed classes of English that decide what a critique claims: negators, contrasts, demands.

Nothing here knows a family, a fault or a value. `V` stands for a value that was masked (see
`language`), OWN for the response that a reason is about, OTHER for the other one.
"""

from __future__ import annotations

import re

OWN, OTHER, BOTH = "①", "②", "③"
V = "[\ue000-\uf8ff]"
NOT_V = "[^\ue000-\uf8ff]"
NOT_OWN = f"[^{OWN}{OTHER}{BOTH}.]"
NOT_WORD = "[^\\w\ue000-\uf8ff]"


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\b|(?=n't))(?:{'|'.join(alternatives)})(?!\w)")


# Each one turns a statement into its opposite; an even number of them cancels out.
NEGATORS = _words(
    r"not(?! only)(?! just)", r"n't", "never",
    "no(?! (?:doubt|longer|fewer|less|more|later|earlier))", "none", "nothing(?! but)",
    "nowhere", "nobody", "neither", "without(?! (?:a )?doubt)", "cannot", "hardly", "barely",
)  # fmt: skip
# Verbs and adjectives that say that something is not there or was not done.
LACKS = _words(
    "lack(?:s|ed|ing)?", "miss(?:es|ed|ing)?(?! the (?:point|mark))", "omit(?:s|ted|ting)?",
    "omission of", r"(?:leav\w+|left)(?: \S+){0,5}? (?:out|aside)", "leaves off",
    "drop(?:s|ped|ping)?",
    "skip(?:s|ped|ping)?", r"forg[eo]t\w*", "fail(?:s|ed|ing)? to", "failure to",
    r"neglect\w*(?: to)?", "ignor(?:es|ed|ing)", r"overlook\w*", "absent", "absence", r"avoid\w*",
    r"refrain\w*", "free of", "devoid of", "unmentioned", "unstated", r"disregard\w*",
    "passes over", "passed over", "silent (?:about|on)", r"(?:stay|steer|keep)s? clear of",
    "dispenses with", "does away with", "otherwise", "something else", "anything but",
    r"fails(?=\W*$)", "in vain",
    "lost", "would (?:fail|break|crash)", "(?:clean\\w*|rid|clear|purged|stripped) of",
)  # fmt: skip
LACKS_THAT = re.compile(rf"{LACKS.pattern} that\b")
# What forbids: within a demand it turns the demand round.
FORBIDS = _words(
    r"forb[ia]d\w*", r"bann?(?:s|ed|ing)?", r"prohibit\w*", r"exclud\w*", "exclusion",
    r"rul(?:e|es|ed|ing)(?: \S+){0,3}? out", "out of", "off[ -]limits", r"disallow\w*", "taboo",
    r"(?:keep|stay)\w*(?: \S+){0,3}? (?:off|out|away)", "barred", r"veto\w*", "unwanted",
    "unwelcome",
    r"(?:rule|order|instruction) against",
)  # fmt: skip
STRICT_REQUEST = (
    r"(?:brief(?:ing)?|requests?|prompt|instructions?|client|user|assignment|specification|spec"
    r"|requirements?|guidelines?|task)"
)
PERMITS = _words("allowed", "permitted", "acceptable", "welcome", "okay")
# Who demands.
REQUEST = (
    r"(?:brief|requests?|prompt|task|questions?|instructions?|client|user|assignment"
    r"|problem|specification|spec|requirements?|exercise|briefing|order|guidelines?|statement"
    r"|rules?)"
)
_ASKED = (
    r"(?:required|requested|asked(?: for)?|demanded|wanted|needed|specified|called for|expected"
    r"|supposed|meant(?! for)|intended(?! for)|stipulated|prescribed|ordered|allowed|permitted"
    r"|acceptable"
    r"|mandatory|obligatory|compulsory|necessary|agreed|forbidden|banned"
    r"|prohibited|excluded|ruled out|disallowed|off limits|taboo|to have been)"
)
_BE = r"(?:is|are|was|were|be|been|being|as)"
DEMANDS = re.compile(
    rf"\b(?:should|must|ought|shall|belongs?|belonged|ha[sd] to|have to|needs? to|needed to"
    rf"|{_BE}(?: (?:not|never|also|what|the one|\w+ly))* {_ASKED}"
    rf"|(?:was|were) (?:not |never |only )?to(?! be (?:found|seen))"
    rf"|(?:required|demanded|requested|wanted|expected) (?:was|were|is|are)"
    rf"|{_BE} (?:not )?(?:the )?(?:correct|right|proper|true|accurate)"
    rf"|wants?|wanted|wish(?:es|ed)|insists?|insisted|demands|requires|asks|asked|calls for"
    rf"|called for"
    rf"|(?:one|you|we) would|would (?:not )?have|(?:one|you|we|readers?"
    rf"|they) (?:would )?(?:have )?expect(?:s|ed)?"
    rf"|would (?:be|have been) (?:the )?(?:correct|right|proper|accurate)"
    rf"|(?:correct|right|proper|true|expected|required|requested|desired|actual|agreed)"
    rf"(?: \w+){{0,3}} (?:is|are|was|were|being|would be|would have been|has)"
    rf"|to (?:avoid|omit|leave out|keep out)(?= *$)"
    rf"|{_BE}(?: \w+ly)* (?:stated|given|named|written|fixed|set|defined|put)\b{NOT_OWN}*"
    rf"\b(?:in|by) the (?:\w+ )?{STRICT_REQUEST})\b"
)
MODALS = re.compile(
    r"(?<!that )(?<!which )(?<!who )\b(?:should|must|ought|shall|ha[sd] to|have to|needs? to"
    r"|needed to|(?:was|were|is|are)"
    r"(?: not| never| only| clearly| really)? (?:supposed|meant|expected|required|asked|told) to"
    r"|(?:was|were) (?:not |never |only )?to(?! be (?:found|seen))"
    r"|(?:one|you|we) (?:would )?(?:have )?expect(?:s|ed)?)\b"
)
# `the name that should have been X`: a demand within a statement.
RELATIVE = re.compile(
    r"\b(?:that|which|who) (?:was|were|had|should|must|is|has)\b(?: (?:have|been|be|to|not|never|a"
    r"|the))*"
    r"(?: [a-z]+){0,3} +$"
)
# Said of nothing in particular, this is praise and not a demand.
RIGHTLY = re.compile(r"\b(?:is|are|was|were) (?:\w+ )?(?:correct|right|proper|true|accurate)\b")
# `cannot be right`, `is not the one`: of a value this says that it is there, and wrong.
DISMISSES = re.compile(
    r"\b(?:cannot|can not|can't|is not|isn't|was not|are not)(?: possibly| quite| really)?"
    r"(?: be| have been)? (?:the )?(?:right|correct|true|accurate|fine|ok|acceptable|what|one|same"
    r"|answer)\b"
)
REQUEST_SPEAKS = re.compile(
    rf"^\W*(?:(?:and|but|yet|though|by|per|in|according to|going by|under|from|what|all|contrary to"
    rf"|against|despite|unlike) )?(?:what )?(?:the |our |this |that "
    rf"|an? )?(?:\w+ )?(?!rule){REQUEST}"
    rf"\b(?!')|\bthe (?:\w+ )?{STRICT_REQUEST} (?:\w+ )?(?:says?|said|g[ia]ves?|asks?|asked|wants?"
    rf"|wanted"
    rf"|ha[sd]|requires?d?|demands?|sets?|states?|names?|mentions?|specif\w+|calls?|insists?"
    rf"|puts?)\b"
)
# A noun that demands what follows it, inside of a statement about a response.
DEMAND_NOUN = re.compile(
    rf"\b(?:the |a |an |its )?(?:(?!rule){REQUEST}|rules? (?:of|about|on|against|for)|bans?"
    rf"|prohibition|exclusion|demands?|wish|(?<!off )limits?|target)"
    rf"(?:'s)?\b(?:(?! and | by | with | when | than | instead )[^{OWN}{OTHER}\ue000-\uf8ff])*?"
    rf"(?:{V}\W*(?:and|or)\W*)?(?={V})"
)
# The same in front of a word.
DEMAND_WORD = re.compile(rf"\b(?:{REQUEST}|demand|wish) (?:of|for|to have) (?:an? |the )?$")
COMPLIES = re.compile(
    rf"\bas (?:\w+ )?(?:{_ASKED}|instructed|told|it should|planned)\b"
    rf"|\bas (?:the|our|per the) (?!rule|order|problem|statement"
    rf"|exercise){REQUEST}\b(?: \w+){{0,2}}|\bin line with\b|\bin keeping with\b"
    rf"|\bjust as\b"
)
# What stands in front of a value and says how it relates to the request.
WANTED_ATTR = re.compile(
    r"\b(?:required|requested|demanded|desired|expected|correct|right|proper|stipulated|specified"
    r"|prescribed|actual|agreed|the given|mandatory|obligatory|compulsory|true|real|wanted|original"
    r"|accurate|intended|necessary)(?: [a-z]+){0,3} +$"
)
FORBIDDEN_ATTR = re.compile(
    r"\b(?:forbidden|banned|prohibited|excluded|disallowed|unwanted|taboo|barred|ruled-out"
    r"|outlawed|vetoed|undesired|off[- ]limits)(?: [a-z]+){0,3} +$"
)
WRONG_ATTR = re.compile(
    r"\b(?:wrong|incorrect|mistaken|false|erroneous|bogus|inaccurate|invented|faulty)"
    r"(?: [a-z]+){0,3} +$"
)
ERRS = _words(
    r"wrong\w*", r"incorrect\w*", r"mistak\w*", "errors?", r"erroneous\w*", r"false(?:ly)?",
    r"inaccura\w*", r"mis(?!s|t|ta|e)[a-z]{3,}", "misstates?d?", "misspel\\w*", r"violat\w*",
    r"breaks?(?: the line)?(?<! the line)", "breaking", "broken", "broke", r"breach\w*",
    r"contradict\w*", "faults?", "faulty", "bugs?",
    r"flaw\w*", "slips?", "slipped", "invalid", "disobeys?", r"flout\w*", r"contraven\w*", "defies",
    "departs? from", r"deviat\w*", "gets? confused", r"confus\w*", "not ok", "spoils?", "ruins?",
    "blunders?", "(?:is|are|be|was|seems?|appears?) off", "unfortunately", "no good", "at odds",
    r"clash\w*", "in conflict",
    "badly", "poorly", r"mix\w* up", "mix-up",
    "miscounts?", r"conflict\w*", "fails", "problems?", "issues?", "harm", r"blame[ds]?",
    r"(?<=not )mind", "minds", "objects?",
    r"accuse[ds]?", "matters?",
)  # fmt: skip
# Against whom or what: a fault whatever is denied beside it.
ADVERSE = re.compile(
    rf"\b(?:against|contrary to|despite|in spite of|in (?:violation|breach|defiance) of"
    rf"|at odds with)"
    rf" (?:the |an? |all |this |our |its )?(?:\w+ )?(?:{REQUEST}|ban|wish(?:es)?|prohibition|order"
    rf"|demand)\b"
)
BREAKS = _words(
    r"violat\w*", "breaks?", "broken", "broke", r"breach\w*", r"disobey\w*", r"flout\w*",
    r"contraven\w*", "defies", r"depart\w* from", r"deviat\w*", r"contradict\w*", "despite", 
    "in spite of", "contrary to",
)  # fmt: skip
BREACH = re.compile(
    rf"after (?:being|having been) (?:told|asked)|{ADVERSE.pattern}"
    rf"|(?<!would ){BREAKS.pattern}"
)
# Approval in any form, and what plays a fault down.
PRAISES = re.compile(
    r"\b(?:correct(?:ly)?|right(?:ly|ful\w*)?|proper(?:ly)?|accurate(?:ly)?|appropriate(?:ly)?"
    r"|wise(?:ly)?"
    r"|smart\w*|clever\w*|sensibl\w*|sound(?:ly)?|apt(?:ly)?|better|best|superior|prefer(?!ence)\w*"
    r"|good"
    r"|great"
    r"|excel\w*|superb\w*|brillian\w*|ideal(?:ly)?|fine|perfect(?:ly)?|strong(?:er|est)?|strengths?"
    r"|wins?|winner|winning|won|beats?|outperform\w*|compl(?:y|ies|iant|iance)|satisf\w*|fulfil\w*"
    r"|respect(?:s|ed|ing)?|adher\w*|obey\w*|honou?r\w*|observ(?:es|ed|ing)|conform\w*|succe\w*"
    r"|acceptable|ok|okay|commend\w*|prais\w*|laud\w*|applau\w*|admir\w*|appreciat\w*|advantage\w*"
    r"|benefit\w*|bonus|merit\w*|virtue\w*|asset\w*|plus|convinc\w*|deserves?|credit(?! points)"
    r"|faithful\w*|justif\w*|flawless\w*|legitimate\w*|nice(?:ly|r)?|(?:do(?:es|ne|ing)?|did) well"
    r"|well (?:done|written|handled)|meets?|met"
    r"|keeps? to"
    r"|sticks? to|follow(?:s|ed)?(?= *$)|follows the (?:brief|request|prompt|instructions?|rules?)"
    r"|harmless"
    r"|trivial\w*|pleas(?:ing|ant)\w*|pleased|welcome|thank\w*|fortunate\w*|luck\w*|glad\w*"
    r"|happ[yi]\w*"
    r"|lik(?:e|ed) (?:that|how|it)|love|enjoy\w*|improv\w*|delivers|unfounded|baseless|reasonabl\w*"
    r"|favou?r\w*|helpful\w*|impress\w*|suitabl\w*|neat(?:ly)?|elegan\w*|kudos|reliefs?|true"
    r"|truthful\w*)(?!\w)"
)
CONTRAST = re.compile(
    r"\b(?:instead of|rather than|in place of|in lieu of|in (?:the )?stead of|as opposed to"
    r"|in contrast to"
    r"|versus|vs\b\.?|contradict\w*|(?:deviat|depart|differ)\w* from"
    r"|(?:conflict|clash)\w* with|at odds with|not)\b"
)
# `R becomes W`, `R is called W`, `from R to W`: between two values, the first is what it should be.
TURNS = re.compile(
    r"\b(?:becom\w+|became|turn\w*|chang\w+|replac\w+|swap\w*|miscop\w+|misquot\w+|mis[a-z]{4,}"
    r"|mov\w+|alter\w*|convert\w+|render\w+|appears?|given|shows? up|written|called|confus\w+"
    r"|mistak\w+|mistook|drift\w*|slip\w*|exchang\w+|trad\w+|from|read|reads|copied|reported"
    r"|swapped"
    r"|rewrit\w+|rewrote|renam\w+|reproduc\w+|garbl\w+|shift\w*|makes?|made|distort\w*|corrupt\w*"
    r"|come out|came out|comes out|end\w* up)\b"
)
INTO = re.compile(r"\b(?:into|becom\w+|became|as|with|by|to|called|named|for)\b")
# `If one compares the two`: looking is no condition.
LOOKS = re.compile(r"^\W*(?:one|you|we|I) (?:compare|run|look|check|read|call|test|tr|count|see)")
HYPOTHESIS = re.compile(
    rf"^{NOT_WORD}*(?:(?:if|whether|unless|suppose|imagine)\b|had {OWN})|\?\W*$"
)
DENIAL = re.compile(
    rf"^\W*(?:no\s*,|[^{OWN}{OTHER}{BOTH}\ue000-\uf8ff,.;:]{{0,60}}?\b(?:that|to say|to claim)\b)"
)
# `The claim that ... is false`: what stands between is denied.
CLAIMED = re.compile(
    r"^\W*(?:whoever|anyone who) (?:says|claims|thinks) that\b.*\bwrong\b"
    r"|^\W*(?:the|this|any|a) (?:claim|idea|suggestion|objection|criticism|notion|charge|complaint"
    r"|view|point)"
    r" that\b.*\b(?:false|wrong|untrue|unfounded|baseless|incorrect|mistaken|invalid|not (?:true"
    r"|hold|valid))\b"
)
# What others say is not claimed.
REPORTED = re.compile(
    r"^\W*(?:some|others?|critics|people|one|you|someone|it|they|he|she)(?: \w+){0,2}"
    r" (?:say|object|claim|argue|think|complain|believe|suspect)(?:s|ed)? (?:that|about)\b"
)
DENIES = _words(
    r"not", "n't", "cannot", "never", "nobody", "no one", "no", "hardly", "false", "untrue",
    "unfair",
    "incorrect", r"den(?:y|ies|ied)", "doubt", r"dispute\w*", r"reject\w*", "myth", "lie",
    "nothing",
    "wrong(?= to)", "mistaken(?= to)", "inaccurate",
)  # fmt: skip
# Verbs of saying and containing: what makes `not` a lack, and a plain statement a claim.
_SAY = (
    r"(?:say|state|mention|nam|contain|includ|us|writ|giv|list|show|print|offer|quot|report|call"
    r"|hold|read|appear|occur|bring|advertis|promis|turn|refer|cit|speak|talk|tell|express|featur"
    r"|provid|suppl|announc|declar|return|rais|produc|add|employ|mak|com|open|start|begin|end|clos"
    r"|finish|learn|find|stand|put|set|mark|sell|charg|address|greet|carr|spell|consider|account"
    r"|count|match|correspond|agree|align|equal|hav|deliver)"
)
SAYS = re.compile(
    rf"\b(?:{_SAY}(?:s|es|ed|ing|ies|ied|ten|d)"
    rf"|(?:not|n't|to|does|do|did|never|will|would|should|can|cannot|could|must|may|might"
    rf"|\w+ly|one|we|you|they|readers|{OWN}|{V}) (?:\w+ly |even |actually |once )?{_SAY}e?y?"
    r"|said|wrote|written|gave|given|has|have|had|there (?:is|are|was|were)|told|found|stood"
    r"|brought|sold|present|set|put|made|read|shown|part of|taken into account)\b"
)
ATTRIBUTES = frozenset(("correct", "right", "proper", "accurate", "true", "ideal"))
NAMES_REQUEST = re.compile(rf"\b{STRICT_REQUEST}\b")
HARD = re.compile(r"\b(?:hard|difficult|unable|impossible) to\b")
OF_REQUEST = re.compile(rf"\W*(?:\w+ )?(?:of|from|in|by) the {REQUEST}\b")
ENDS_REQUEST = re.compile(rf"\b{REQUEST}\W*$")
