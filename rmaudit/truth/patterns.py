"""How clauses break, link and state: the grammar that `language` reads with, as expressions."""

from __future__ import annotations

import re

from rmaudit.truth.lexicon import INTO, NOT_V, NOT_WORD, OTHER, OWN, SAYS, V

BREAK = re.compile(
    rf"[,;]?\s*\b(?:but|yet|although|(?<!as )(?:even )?though|while|whilst|whereas|where|when"
    rf"|because|since"
    rf"|so(?! that)|which|who|however|(?<!as )if|unless|whether|and(?= {V} (?:is|was|were|are|had"
    rf"|has|should|must|belongs)\b)|and(?! (?:not )?(?:(?:the|a|an|in|to|as|by|of"
    rf"|with|its|required|correct|right|word) )*{V}))\b(?= )"
    rf"|(?<={V}) that(?= )|[;:!?,]|\((?![a-z]\))|(?<!\([a-z])\)|\.(?=\s|$)|\s-{{1,2}}\s"
)
SENTENCE = re.compile(r"(?:[^.!?]|[.](?!\s|$))*")
COPULA = re.compile(
    r"\b(?:is|are|was|were|be|equals?|makes?|amounts? to|comes? to|takes?|gives?|yields?"
    r"|reaches|totals?)\b"
)
DOES = re.compile(
    r"\b(?:calculated|computed|used|written|printed|given|stated|said|put|added|multiplied|divided"
    r"|taken|counted|converted|rounded|returned|claimed|listed|shown|found|offered|called|worked)\b"
)
VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|ha[sd]|have|does|do|did|can|will|would|says?|states?|gives?"
    r"|prints?"
    r"|writes?|names?|mentions?|uses?|lists?|shows?|contains?|includes?|calls?|sets?|offers?|puts?"
    r"|sells?|ends?|starts?|begins?|opens?|closes?|appears?|reads?|returns?|raises?|gets?"
    r"|leaves?)\b"
)
BARE = re.compile(
    rf"^\W*(?:{V}|the|a|an|its|only|just|in|at|of|to|by|for|from|on|namely|with|under|not|instead"
    rf"|rather|about|merely|all|simply|required|wrong|forbidden|whole)(?!\w)|^\W*$"
)
VALUE_NEXT = re.compile(
    rf"\W*(?:(?:the|a|an|in|to|as|by|with|at|of|for|from|on|until|after|before|into|its|correct"
    rf"|right|required|requested"
    rf"|word|string"
    rf"|number|name|city|key) )*\W*{V}"
)
LINKED = re.compile(rf"{INTO.pattern}(?: (?:the|a|an|its|word|name|city|string|number))*\W*$")
STANDS_FOR = re.compile(
    r"^\W*(?:for|(?:has |have )?replace[sd]|supplants|displaces|takes the place of|stands in for"
    r"|standing in for)"
    r"(?: (?:the|a|an|its|required|correct|right|requested|word|string|name|city|number))*\W*$"
)
STATES = re.compile(
    rf"{NOT_WORD}*(?:it|that|this|(?:the|its|a|an|our) [a-z ]+)\b{NOT_V}*"
    rf"\b(?:is|are|was|were|be|equals?|amounts? to|comes? to|takes?)\b"
    rf"{NOT_V}*{V}"
)
SHOULD_BE = re.compile(
    rf"\b(?:should|must|ought to|ha[sd] to|needs? to) (?:really |actually )?(?:be|have been|read"
    rf"|say)"
    rf"\b(?: (?!for|in|under|of|by|at)[a-z]+){{0,2}}(?= {V})"
)
CLEFT = re.compile(rf"\b(?:is|are|was|were) what\b.*{SAYS.pattern}")
# `In Response A, X is Y`, `against Response A, namely that X is Y`, `If one runs A, X is Y`.
NAMED = re.compile(
    rf"^\W*(?:in|according to|with|as for|for|by|per|at|on)\b[^:]*{OWN}\W*$"
    rf"|\b(?:against|run|runs|running|test|tests|check|checks|try|tries) {OWN}\W*$"
)
# `the prescribed line, X, is missing`: the value belongs to the words before it.
APPOSED = re.compile(rf",( (?:namely )?{V})(?:,|(?=\.?$))")
EQUATES = re.compile(rf"{V}\W*=\W*{V}|{V}{NOT_V}*{COPULA.pattern}{NOT_V}*{V}")
CONTRASTS = frozenset(
    ("although", "even though", "though", "while", "whilst", "whereas", "where", "when")
)
AGAINST = CONTRASTS | {"but", "yet", "however"}
CONCESSIVE = frozenset(("although", "even though", "though", "while", "whilst"))
COMPARED = re.compile(
    rf"\b(?:(?:just )?like|unlike|compared (?:to|with)|in contrast to|than|as opposed to|similar to"
    rf"|(?:\w+ )?against) {OTHER}"
)
PRONOUN = re.compile(
    r"\b(?:it|them|this|that one|one|none|any|such)\b|\b(?:does|do|did|is|has)(?: not|n't)\W*$"
)
PRESENT = re.compile(
    r"\b(?:appears?|occurs?|stands?|shows? up|turns? up|crops? up|there|present|used|mentioned"
    r"|included?s?|mentions?|offers?|uses?|adds?|lists?|contains?|names?|has|does|do|did|writes?"
    r"|found"
    r"|left|leaves?|drops?|omits?|ignores?|forgets?|skips?|have|comes? up|in|puts?|finds?"
    r"|made it)\b"
)
OBJECT = re.compile(
    r"\b(?!that|if|and|but|so|since|as|when|where|while)\w+"
    r" (?:(?:it|them|this)\b(?! (?:as|to|at|on|is|was|has|does|says|should|must|had))"
    r"|(?:one|some|any)(?= *(?:$|in\b|after\b|behind\b)))|^\W*one (?:follows|stands|appears|is)\b"
)
POSSIBLE = re.compile(r"\b(?:could|may|might|can)(?! (?:be|have|not))\b")
UNREAL = re.compile(r"\b(?:may|might|could|would|can|almost|nearly|will)\b")
FINITE = re.compile(r"\b(?:is|are|was|were|ha[sd]|have|does|do|did|made|\w{2,}(?:s|ed))\b")
SUBJECTLESS = re.compile(
    r"^\W*(?:seems?|appears?|has|is|was|can|turns|shows|still|nevertheless|does|did|do|never"
    r"|cannot)\b"
)
PLAIN_REST = re.compile(
    r"^\W*(?:(?:anyway|nevertheless|nonetheless|still|all the same|though|as well|too|also)\W*"
    r"|(?:in|into|to|within|inside|of|on|after|behind|at)\b.*)?\W*$"
)
ELLIPSIS = re.compile(rf"\W*{V} (?:is|was|does|has){NOT_WORD}*$")
ANEW = re.compile(r"\W*(?:only|just|merely|with)\b")
WHICH_IS = re.compile(rf"\W*(?:is|was|would be) {NOT_V}*{V}")
IN_FACT = re.compile(r"\W*(?:in (?:fact|truth|reality)|actually|really|correctly)\b")
SPEAKS = re.compile(rf"\W*(?:it|its|they|which|so)\b|^\W*{V} {SAYS.pattern}")
PREDICATE = re.compile(rf"\W*(?:never|also|even|\w+ly|does not|did not)* ?{SAYS.pattern}")
NOT_DONE = re.compile(r"\b(?:does|do|did|is|has)(?: not|n't)\W*$")
FROM = re.compile(r"\bfrom\b\W*(?:the )?$")
ACCORDING = re.compile(r"\b(?:in|per|by|to)\W*$")
IN_OWN = re.compile(rf"\W*(?:in|of|as(?: in)?) {OWN}")
IMPOSSIBLE = re.compile(r"\b(?:cannot|can not|can't|could not)\b")
# A number that a sum is made of.
OPERAND = re.compile(rf"^[-+*/] ?{V}|{V} ?[-+*/](?= |$)")
