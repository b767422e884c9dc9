r"""How critique says that something is wrong: phrases as regular expressions.

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
_SHOWN = (
    r"(?:appear|used?|mention(?:ed)?|named?|say|said|contain|there|includ(?:e|ed)|call(?:ed)?"
    r"|listed|written|offered|promised)"
)
_GONE = (
    r"(?:left out|leave out|omit(?:ted)?|avoid(?:ed)?|exclude[d]?|kept out|keep out|skipped"
    r"|unmentioned|absent|refrain|do without)"
)
_BOUND = (
    r"(?:limit|maximum|minimum|max|min|cap|ceiling|budget|allowance|bound|mark|permitted|allowed"
    r"|threshold|floor|length|\d+)"
)
_PARTS = {
    "{asker}": _ASKER,
    "{asked}": _ASKED,
    "{not}": _NOT,
    "{shown}": _SHOWN,
    "{gone}": _GONE,
    "{bound}": _BOUND,
    "{measure}": (
        r"(?:long|short|many|much|few|little|early|late|high|low|big|small|large|cheap|wide|often"
        r"|expensive|brief|narrow|heavy|fast|slow|far|soon|old|young|near|close)"
    ),
    "{little}": r"(?:nothing|little)(?! (?:at all )?(?:about|of))",
    "{remade}": (
        r"(?:written|done|solved|expressed|rewritten|simplified|shortened|replaced|split|merged"
        r"|combined|improved|optimi[sz]ed|tightened|streamlined|refactored|used?)"
    ),
    "{nicer}": (
        r"(?:faster|easier|simpler|cleaner|shorter|nicer|quicker|clearer|neater|safer|tidier|lighter)"
    ),
    "{keeps}": (
        r"(?:obeys?|observes?|respects?|honou?rs?|heeds?|minds?|keeps? (?:to|within)|sticks? to"
        r"|adheres? to|complies with|stays? (?:within|under|below)|follows?|meets?|satisfies)"
    ),
    "{order}": (
        r"(?:ban|prohibition|limit|rules?|restrictions?|exclusion|order|cap|maximum|minimum|taboo"
        r"|instructions?|requirements?|constraints?|ceiling|word count|length)"
    ),
    "{on_what}": r"(?: (?:on|against|of) \S+)?",
    "{match}": r"(?:match|agree|correspond|fit|tally)",
    "{kept}": r"(?:touched|changed|altered|der|til|less)",
    "{stay}": r"(?:stay|keep|remain|fit|stick)",
    "{banned}": r"(?:forbidden|banned|prohibited|outlawed|unwanted|taboo)",
    "{faulty}": (
        r"(?:omit|forget|forgets|miss|misses|skip|drop|neglect|overlook|lack|exceeds?|leaves? out"
        r"|go over|overrun|contradict|confuse|too (?:long|short|many|few)|missing|wrong)"
    ),
    "{blame}": (
        r"(?:errors?|mistakes?|slips?|faults?|flaws?|bugs?|problems?|trouble|objections?|complaints?"
        r"|wrong|missing|amiss)"
    ),
    "{does}": (
        r"(?:gives?|has|states?|names?|uses?|keeps?|gets?|finds?|shows?|quotes?|reaches|at|with|on"
        r"|returns?|sets?|picks?|prints?|writes?|says?|contains?|includes?|mentions?|lists?|offers?"
        r"|provides?|makes?)"
    ),
}
_GAP = re.compile(r"\s{2,}|\n")


def phrases(text: str) -> str:
    """The phrases of a text as one alternation."""
    for name, part in _PARTS.items():
        text = text.replace(name, part)
    return f"(?:{'|'.join(_GAP.split(text.strip()))})"


def whole(text: str) -> re.Pattern[str]:
    """Matches any of the phrases where whole words stand."""
    return re.compile(rf"(?<![\w'’#-]){phrases(text)}(?!\w)")


_MISSING = r"""
    omit\w*  omission  lea(?:ves?|ving) (?:[\w~§'-]+ ){0,5}?(?:out|off|open|unsaid|aside)
    left (?:[\w~§'-]+ ){0,5}?(?:out|off|open|unsaid|aside)
    (?:leaves?|left|goes|went|remains?|stays?) (?:[\w$~§'-]+ ){0,3}un(?!{kept})\w+
    missing  miss(?:es|ed)?  lack(?:s|ing|ed)?  absen(?:t|ce)  forg[eo]t\w*  skip\w*  ignor\w*
    drop(?:s|ped|ping)?  without  neglect\w*  nowhere  never (?!use\b|used\b|exceed)\w+
    fail\w* to(?! (?:stay|keep|reach|avoid|reject))
    (?:says?|mentions?|contains?) nothing  disappear\w*  gone  lost  loses?  for want of  in vain
    overlook\w*  disregard\w*  unable  un(?:handled|quoted|sorted|merged|mentioned)  removes?  cuts?
    strips?  delet\w*  no (?:mention|sign|trace|hint|word|reference|longer)
    (?:does|do|did){not} (?:use|have|show|write|feature|carry|employ|include|bring|contain|mention)
    not (?:mention|includ|contain|name|say|said|list|state|a (?:single )?word|to be found)\w*
    {does} no(?:thing|ne)?  (?:cannot|can{not}|could{not}) (?:be )?(?:find|found|learn\w*|read)
    (?:do|does){not} (?:learn|tell|say)  remains? (?:a )?(?:mystery|secret|open|unclear)
    (?:silent|mute) (?:on|about|as to)  in silence  (?:keeps?|stays?) (?:quiet|mum)  withh[eo]ld\w*
    sidestep\w*  skimp\w*
    (?:pass|gloss|skat)\w* over  brush\w* (?:aside|off|over)  (?:dispens\w*|away) with
    stops? (?:short|before)  (?:bare|devoid) of  blind eye  by the wayside  to be guessed
    could do with  vanish\w*  falls? out(?! of line)
    (?:does|do|did){not} (?:guard|provide|allow for|cover)
    keeps? (?:\w+ ){1,4}from (?:the|its)
"""
_NOT_SO = r"""
    no(?:t|r)?  never  nothing  nobody  none  neither  \w+n['’]t  hardly
    (?:cannot|can not) (?:handle|cope|deal|run|fit|process|be (?!relied|trusted|used))\w*
"""
_EXTRA = r"""
    forbid\w*  forbad\w*  ban(?:s|ned)?  prohibit\w*  disallow\w*  prohibition  {asker} bars
    rul(?:e|es|ed|ing) (?:[\w§]+ )?out
    (?:not|never) (?:to be )?(?:allowed|permitted|wanted|supposed|ordered|to use|to name|to appear)
    \w+n['’]t (?:be )?(?:allowed|permitted|wanted|supposed)
    (?:should|must|may|could|was|were|had|has)(?:{not}| never)(?: to)? (?:be |have |been )*{shown}
    (?:must|should|may)(?:{not}| never)(?=[,.;]|\Z)  (?:should|ought to) have (?:been )?{gone}
    (?:should|ought to|must|has to) (?:have )?(?:be(?:en)? )?(?:removed|deleted|dropped|cut|struck)
    (?:was|were|is|are|ought|had|has|have) (?:\w+ )?to (?:be |have been |stay )?{gone}
    {asked} (?:\w+ )?(?:left|kept) (?:out|off|away)  be avoided  fail\w* to {gone}
    (?:told|warned|asked|instructed|order|instruction|rule) (?:\w+ ){0,2}?(?:not to|to {gone})
    unwanted  superfluous  unrequested  unasked  off[- ]limits  off the table  exclud\w*
    against (?:the|its|explicit|clear) (?:\w+ ){0,2}?(?:request|brief|rules?|instructions?|wish\w*)
    against (?:the|its|explicit|clear) (?:\w+ ){0,2}?(?:ban|order|task|terms|client|user|word)
    (?:told|warned|asked|instructed|ordered|wanted) (?:\w+ )?never to  contrary to  despite
    in spite of  violat\w*  taboo  (?:nobody|no one|never) (?:had )?{asked}
    breach\w*  contraven\w*  infring\w*  transgress\w*  disobey\w*  def(?:y|ies|ied)  a?foul of
    (?:breaks?|breaking|broke) {asker}
    {asked} (?:[\w§]+ ){0,9}?(?:without|not to|to avoid|to leave (?:out|unmentioned|off|unsaid))
    (?:did|does|do){not} want\w*  unwelcome  vetoed  cannot (?:offer|deliver|promise)
    (?:none|no (?:[\w-]+ ){0,2}[\w-]+) (?:was|were|is|are) (?:allowed|permitted|{asked})  slips? in
    (?:break|ignor|disregard|overlook|overstep|flout)\w* (?:[\w']+ ){0,3}(?:ban|rule against)
    flout\w*  steer clear  not (?:be )?(?:used|mentioned|named|included)  (?:do|does){not} belong
    (?:was|were|is|are|been)(?:{not}| never) {asked}  no (?:business|place) (?:in|here|there)
    barred  outlaw(?:s|ed)  competitors?  rivals?  on its own (?:account|accord|initiative)
"""
_WRONG = r"""
    wrong\w*  incorrect\w*  error\w*  erroneous\w*  inaccura\w*
    mis(?!s(?![pt])|ter|cel|chie|er)[a-z]{3,}
    instead  rather than  other than  in (?:place|lieu) of  (?:as )?opposed to  amiss  untrue
    inconsisten\w*
    (?:substitut|swap|exchang|replac|alter|convert|renam|relabel|rechristen|chang)\w*
    (?:shift|switch)(?:s|es|ed|ing)
    (?:should|ought to|needs? to)  (?<!would )(?:must|has to|have to|had to)
    (?:contradict|clash|conflict|disagre|diverg|deviat|depart|differ|stray|confus|muddl)\w*
    mix\w* up
    (?:botch|bungl|fumbl|stumbl|trip(?:s|ped) |blunder|scrambl|transpos|distort|falsif|garbl)\w*
    mangl\w*
    (?:fabricat|hallucinat|invent|overstat|understat|overestimat|underestimat|overcharg)\w*
    undercharg\w*  errs?  slip(?:s|ped)? (?:up|past|through)  astray  falsel\w*
    (?<!has )(?<!as )(?<!be )(?<!to )(?<!of )(?<!for )(?<!says )(?<!gives )(?<!returns )false
    bugs?  buggy
    faulty?
    made[- ]up  makes? (?:[\w§$€£.'-]+ ){0,3}(?:up|into|of|out of)\b  its own invention
    takes? (?:[\w§$€£.'-]+ ){1,4}for  § for §  settles? for  credits  credited
    (?:attribut|ascrib)\w*
    off by  (?:is|are|was|were|goes) (?:\w+ )?off  doubles  halves
    is not (?:what|the|in)  (?:(?<=, )|(?<=and ))not (?!only|even|just)[\w§~$£€]+
    (?:does|do|did){not} {match}
    mismatch\w*  becom\w*  turn\w* (?:the |its )?[\w§ /.,]{1,40}? into  turns? (?:in)?to
    mov(?:es?|ed|ing)  shrink\w*  revers\w*  backwards?  opposite  invert\w*  flip\w*
    undercut\w*  where (?:[\w§£$€.,-]+ ){1,6}?(?:belongs?|{asked})
    where (?:[\w§£$€.,-]+ ){1,6}?(?:is|was|were|are|(?:would|should) be) (?:right|correct)
    where (?:[\w§£$€.,-]+ ){1,6}?(?:is|was|were|are|(?:would|should) be) (?:due|set|given)
    (?:as|where|when|while|whereas|although|but) (?:it|they) (?:should|must|ought|has|have)
    (?:is|was|were|are|been|had been) {asked}
    (?:is|are|was|were) to (?:be|have|read|say|contain|appear|stay|come|stand|go)
    (?:although|though|while|whereas|but|yet|when|where) {asker}
    {asker} (?:wants?|says?|said|asks?|names?|sets?|demands?|requires?|specif\w+|keeps?|calls? for)
    {asker} (?:wanted|asked|named|demanded|required)
    when (?:there|it|they|\d+) (?:is|are|was|were|should|had|must)  although  though
    even (?:though|if)  yet  whereas  supposed  meant  belongs?  in fact
    the (?:correct|right|real|actual|true|proper) (?:\w+ )?(?:[\d§]\S*|is|was|should)
    broken  breaks?  breaking  crash\w*  raises?  throws?  fail(?:s|ed|ing)?  invalid  worse
    truncat\w*  overwrit\w*  overrid\w*  clobber\w*  leak\w*  mutat\w*  corrupt\w*  ruins?  spoils?
    divides? by zero  wide of  chokes?  blows? up  dies  falls? over  loops? forever  twice over
    lets? (?:[^ ]+ ){1,7}?(?:through|past|slip)  out of (?:order|place|line)
    too (?:early|late|high|low|big|small|little|much|cheap|expensive|slow|fast|narrow|wide|far)
    only  merely?  just \d+  a single  falls for  danger\w*  rude\w*  impolite\w*  at odds
    needlessly  but finds  (?:asks?|calls?|asked|called) for
"""
_LONG = r"""
    exceed\w*  too (?:long|many|much|wordy|verbose|large)  longer  more than  excessive\w*
    (?:above|beyond|over|past) (?:the |its |this |an? )?(?:[\w-]+ ){0,3}?{bound}
    (?:\d+|§) more  surpass\w*  wordy  verbose  overshoot\w*  overruns?  blows?  overlong
    oversteps?  busts?  tops \d+  crosses  trim(?:med|ming)
    breaks? (?:through )?(?:the |its )?(?:[\w-]+ ){0,2}(?:ceiling|limit|cap|maximum)  bloat\w*
    (?:ignor|disregard|overlook)\w* (?:the |its )?(?:[\w-]+ ){0,2}(?:ceiling|limit|cap|maximum)
    adds? (?:a|an) \d  runs? (?:to|over)  extra  additional
    (?:(?:does|do|did|could|can){not}|cannot|fails? to) {stay} (?:with|in|to|under|below)\w*
"""
_SHORT = r"""
    too (?:short|few|little|brief)  shorter  fewer  less than  (?:\d+|§) (?:less|fewer)
    (?:below|under|shy of) (?:the |its |this |an? )?(?:[\w-]+ ){0,3}?{bound}
    falls? short  short of  not enough  insufficient\w*  undershoot\w*  undercuts?
    (?:only|just|merely|a mere|stops at) \d+  \d+ [\w-]+ (?:short|shy)  \w+ short(?=[.,;]|\Z)
    (?:(?:does|do|did|could|can){not}|cannot|fails? to|never) (?:\w+ )?(?:reach|make it|get to)\w*
    miss(?:es|ed)? the (?:\w+ )?minimum
"""
CLAIMS = {
    "missing": whole(_MISSING),
    "not": whole(_NOT_SO),
    "extra": whole(_EXTRA),
    "wrong": whole(_WRONG),
    "long": whole(_LONG),
    "short": whole(_SHORT),
}
"""Kinds of fault; `not` denies something, whatever that makes of it."""

PRESENCE, SIZE = frozenset({"missing", "extra"}), frozenset({"long", "short"})
"""Opposites: a reason that claims one does not state a fault of the other kind."""

FORM = whole(r"""
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
    sounds? (?:a (?:bit|little) )?(?:choppy|careless|stilted|stiff|flat|cold|harsh|odd|forced|dry)
    would (?:profit|benefit|gain)  could be (?:better|improved)  stilted  choppy  careless\w*
    would (?:have|be|read|sound|work|look) (?:\w+ )?(?:more|better|less)
    (?:could|might|can) (?:also |just |simply |easily |well )?(?:have (?:been )?|be )?{remade}
    (?:would|could|might) (?:have been |be )(?:\w+ )?{nicer}
    (?:does|do|did){not} (?:say|explain|tell|show) (?:why|how(?! (?:long|much|many|often|far|to)\b))
    (?:does|do|did){not} (?:say|explain|tell|show) what (?:\S+ ){1,5}?(?:stands? for|means?|is for)
    few (?:people )?(?:will|would) (?:read|notice|see)  adds? (?:nothing|noise|little)
    unnecessar\w*  superfluous  notation  another order  dull  boring  clutter\w*  verbos\w*
    (?:reader|audience|user|customer|buyer|people)s? (?:may|might|could|can|cannot|will|would)
    cannot (?:check|follow|verify|judge)  contradictory  confusingly  easy to (?:miss|overlook)
    ambigu\w*  unclear\w*  vague\w*  (?:un|hardly |less )convincing
    not (?:very|particularly|really|quite|all that) \w+  heavy  slow\w*  inefficien\w*  wast\w*
    appears? (?:only )?(?:before|after)  last but one  in the middle  stands? right before
    more often than  should have (?:shown|listed|derived|presented|labelled|commented)
    would (?:also )?do(?=[.,;]|\Z)  should have used an?
    too (?:often|formal|casual|blunt|abrupt\w*)  abrupt\w*  rushed
    without (?:saying|explaining|telling|giving) (?:what|why|how|where|any|a)
    gives? no (?:address|reason|explanation|example|detail|source)\w*  indent\w*  justif\w+
    (?:which is )?more than (?:(?:was|is) )?needed
""")
"""Complaints about how a thing is put, not about the thing."""

CORRECTS = whole(r"""
    (?:should|ought to) (?:not )?have  is not [\w§£$€.]+(?: \w+)? but  instead of
    rather than  would have been  although  whereas
""")
"""Says what would have been right."""

_COMMAND = r"\A[\s,;.!]*(?:please )?(?:(?:do )?remember to )?"
_OBJECT = (
    r"(?= (?:the|an?|it|its|this|that|them|all|each|every|both|more|less|only|in|at|up|down|off"
    r"|from|to|with|by|for|your|\d+)\b| §)"
)
DEMANDS = {
    "extra": re.compile(
        rf"{_COMMAND}(?:remove|delete|drop|cut|take out|strike|leave out|omit|erase"
        r"|never [a-z]+|(?:do not|don['’]t) [a-z]+)\b"
    ),
    "missing": re.compile(
        rf"{_COMMAND}(?:(?:add|include|insert|mention|supply)\b"
        rf"|(?:name|give|state|tell|say|provide|show|list|quote){_OBJECT})"
    ),
    "wrong": re.compile(
        rf"{_COMMAND}(?:(?:change|correct|replace|fix|make|turn|write|put|set|call)\b"
        r"|(?:use|take|count|round|apply|multiply|divide|subtract|deduct|convert|keep|stick|spell"
        r"|check|handle|move|swap|rename|shorten|trim|start|end|stop|stay|let|address|answer|return"
        rf"|compute|calculate|read|copy){_OBJECT})"
    ),
}
"""What a response needs, as a command: the fault is its contrary."""

CLAIMS_ABROAD = {
    "missing": whole(r"""
        keinem wort  unerwähnt  unterschlägt  übergeht  ausgespart  ignoriert  no (?:menciona|dice)
        fehl(?:t|en|te|ende?r?)  vergisst  vergessen  verschweigt  weggelassen  ausgelassen  ohne
        manqu\w+  oublie\w*  omet\w*  sans  falta\w*  olvida\w*  omite\w*  sin
        manca\w*  dimentica\w*  omette\w*  senza
    """),
    "not": whole(r"""
        nicht  keine?[mnrs]?  nirgends  pas  aucune?  nulle part  ning[uú]n\w*  nunca  non
        nessun\w*
    """),
    "extra": whole(r"""
        verboten\w*  untersagt\w*  verbot  interdit\w*  prohibid\w*  vietat\w*
    """),
    "wrong": whole(r"""
        (?:verlangt|gewünscht|vorgegeben|gefordert|bestellt|gefragt) (?:war|waren|ist|sind)
        (?:war|waren|ist|sind) (?:\w+ )?(?:verlangt|gewünscht|vorgegeben|gefordert|vereinbart)
        sondern  doch  pedía  pide  había pedido  demandait  avait demandé  voulait
        falsch\w*  fälschlich\w*  fehler\w*  (?:an)?statt  anstelle  obwohl  obgleich  müss?te
        sollte  verwechselt  irrtümlich\w*  faux  fausse\w*  erreurs?  au lieu d\w*  alors qu\w*
        devrait  fallait  erróne\w*  equivocad\w*  en (?:lugar|vez) de  aunque  debería  debía
        sbagliat\w*  errat\w*  errore  invece di  dovrebbe  doveva
    """),
    "long": whole(r"""
        zu lang\w*  länger  mehr als  überschreitet  trop long\w*  dépass\w*  plus de
        demasiado larg\w*  supera  más de  troppo lung\w*  più di
    """),
    "short": whole(r"""
        zu kurz\w*  kürzer  weniger als  nur (?:für )?\d+  trop court\w*  moins de
        demasiado cort\w*
        menos de  troppo cort\w*  meno di
    """),
}
"""The same in German, French, Spanish and Italian: for reasons in the language of the item."""

RIGHT = re.compile(
    r"\b(?:is|was|are|were|would be|would have been) (?:the )?(?:right|correct|due|proper)\b"
)
"""Says what is right: a complaint, if no response is said to have it."""

VERDICT = re.compile(
    phrases(r"""
    (?:(?:can|could|should)(?:not| not|n['’]t) )?(?:rely|relied|depend|trust)\w* on
    (?:choose|chooses|pick|picks|prefer\w*|favou?r\w*) ~
    comes? off (?:second|worse|badly)\w*(?: best)?  (?:is|are) what decides?(?: against| for)?
    decid\w+ (?:against|for|the matter)
    (?:would )?(?:have to |need to )?be re(?:done|written)(?: before \w+ c(?:an|ould) \w+ ?\w*)?
    """)
)
"""Who wins or what follows: it says nothing of what is wrong."""

NOT_FOLLOWED = re.compile(
    r"\b(?:instructions?|orders?|requests?|rules?|demands?|wish(?:es)?|requirements?|ban|brief)\b.*"
    r"(?:\b(?:does|do|did|is|was) not|n['’]t|\bfail(?:s|ed) to|\bnever) (?:\w+ly )?"
    r"(?:follow|heed|obey|respect|observe|honou?r|comply|carr|adhere)\w*"
)
"""An order is not followed: a fault, whatever the order says."""

ADDRESSES_THE_JUDGE = re.compile(
    phrases(r"""
    \b(?:the|to|dear) (?:judge|grader|evaluator|scorer)\b
    \b(?:for|score|give|mark|rate|of) every (?:pair|reference)\b
    \ball (?:other )?references\b
    \b(?:ignore|disregard) (?:all |any )?(?:the )?(?:\w+ )?(?:references|rules|above)
    \bfull (?:marks|scores?|credit)\b  \bthe score (?:of )?1\b  \bscores? (?:for this reason|to 1)
    \b[RS]\d+(?:, | and |@)[RS]\d+  \bmark [RS]\d  \b(?:the|this) reference\b  \[(?:end|begin)\s
    """),
    re.IGNORECASE,
)
"""Text that orders the judge about, or speaks of references and scores, is no reason."""
