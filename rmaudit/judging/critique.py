"""What a critique can be about, in words: style, correctness, relevance, quality, merits, faults.

For the embedded labeller. Words are compared by their English stems, phrases on lower-case text
outside quotations with single spaces. The lists hold general words of critique, none of a set.
"""

from __future__ import annotations

import regex


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LENGTH = _split(
    "length long longer longest lengthy short shorter shortest brief briefer brevity concise "
    "concisely conciseness succinct terse compact verbose verbosity wordy wordiness rambling "
    "padded long-winded bloated"
)
LAYOUT = _split(
    "format formats formatting formatted layout structure structured structuring organized "
    "organised organization organisation heading headings header headers bullet bullets "
    "bulleted bold markdown numbered numbering emoji emojis spacing paragraph paragraphs "
    "presentation presented presents visual visually looks look scannable tidy neat neatly clean "
    "cleaner cleanly table messy messier"
)
TONE = _split(
    "tone style stylistic voice formal formality informal casual polite politely politeness "
    "friendly friendlier warm warmer warmth kind professional professionally professionalism "
    "conversational respectful confident enthusiastic playful lively livelier dry cold stiff "
    "sound sounds sounding"
)
WORDING = _split(
    "clear clearer clearest clearly clarity readable readability legible easy easier easily "
    "read reads reading follow understand understandable understood fluent "
    "fluently fluency flow flows flowing smooth smoother smoothly elegant elegantly elegance "
    "eloquent polish polished vivid catchy crisp punchy simple simpler simply plain plainer "
    "plainly wording worded phrasing phrased written writing prose natural naturally "
    "engaging entertaining fun pleasant pleasing enjoyable coherent coherence cohesive articulate "
    "accessible snappy stylish expression expressions rhythm harder clumsy clumsier awkward"
)
STYLE = (*LENGTH, *LAYOUT, *TONE, *WORDING)

CORRECT = _split(
    "correct correctly correctness right rightly wrong wrongly incorrect incorrectly accurate "
    "accurately accuracy inaccurate inaccuracy inaccuracies error errors erroneous mistake "
    "mistakes mistaken fact facts factual factually true truth truthful false falsehoods valid "
    "validity invalid sound precise precisely precision exact exactly reliable reliably flawless "
    "flawlessly flaw flawed flaws bug bugs buggy faulty issue issues works working work expected "
    "scientifically technically mathematically logically logical logic trustworthy error-prone "
    "problem problems"
)
RELEVANT = _split(
    "relevant relevance irrelevant topic topical off-topic on-topic address addresses addressed "
    "addressing answer answers answered answering follow follows followed following adhere adheres "
    "adherence comply complies fulfil fulfils fulfill fulfills fulfilled satisfy satisfies "
    "satisfied satisfying meet meets met suit suits suited suitable fit fits aligned align aligns "
    "responsive directly engage engages appropriate appropriately intent intention intended "
    "focus focused focuses focussed stays stay tackles pertinent miss misses missed missing "
    "closely"
)
QUALITY = _split(
    "good better best great greatest nice nicer excellent superb superior inferior "
    "strong stronger strongest weak weaker poor poorer poorly bad worse worst wonderful fantastic "
    "amazing brilliant outstanding impressive decent solid fine perfect quality overall helpful "
    "helpfully helpfulness helps help useful usefulness unhelpful useless thorough "
    "thoroughly thoroughness "
    "comprehensive comprehensively complete completely completeness detailed detail details full "
    "fuller fully rich richer depth deep deeper in-depth insight insights insightful thoughtful "
    "thought convincing convincingly convinced compelling persuasive effective effectively "
    "efficiently balanced nuanced valuable value advanced smart clever intelligent creative "
    "creativity original interesting attractive appealing satisfactory adequate adequately "
    "sufficient sufficiently ideal preferable prefer preferred preference favor favour win wins "
    "winner winning stands stand "
    "effort care careful carefully well really truly genuinely real genuine understanding wisdom "
    "grasp knowledge knowledgeable expertise expert soul heart touches feel feels feeling sense "
    "human impression value-add"
)
BARE = _split(
    "assistant model chatbot output option candidate other another one ones user users person "
    "people asker request requests requested question questions asked ask asks asking task prompt "
    "prompts query instruction instructions instructed need needs needed want wants wanted require "
    "required requirement requirements "
    "language reader readers first name names named mention mentions mentioned sense senses cares "
    "care betrays calculation calculations medical "
    "response content contents information info explanation explanations explain explains reason "
    "reasons reasoning conclusion solution solutions approach result results end matter subject "
    "issue point points way manner thing things lot bit job much many level part parts text code "
    "example translation summary story essay poem email essay article piece version "
    "give gives giving given provide provides provided providing offer offers offered make makes "
    "made do does done doing use uses using used contain contains containing include includes "
    "including show shows showing have having get gets go goes going come comes be being "
    "say says said fail fails failed failing lack lacks manage manages tries try attempt "
    "deliver delivers respond responds deal handles handle add adds reflect reflects contribute "
    "arrives arrive reach reaches rate score scores scored think believe consider find found "
    "would could should may might must can will shall let "
    "very quite rather too also still just even only more most less least much far somewhat "
    "slightly significantly considerably clearly definitely certainly simply throughout always "
    "entirely absolutely several some many partly instead than both neither either while whereas "
    "compared comparison unlike since because as so therefore hence thus although though but "
    "however yet there here "
    "whole completely generally general overall place kind type sort terms aspect aspects"
)

MERIT_VERBS = regex.compile(
    r"\b(?:names?|lists?|explains?|gives?|shows?|handles?|deals? with|respects?|honou?rs|picks?"
    r"|suggests?|recommends?|addresse?s?|mentions?|rhymes?|keeps?|adds?|puts?|thinks? of|states?"
    r"|plans?|uses?|selects?|translates?|converts?|has|have|provides?|includes?|covers?|offers?"
    r"|warns?|cites?|quotes?|follows?|meets?|fulfil\w*|satisf\w+|considers?|accounts? for"
    r"|acknowledges?|identif\w+|describes?|demonstrates?|illustrates?|notes?|points? out"
    r"|answers|stays|sticks|supports?|verif\w+|checks|defines|derives|computes"
    r"|calculates|arrives|reaches|ends(?! up)|opens|begins|starts|captures|conveys|preserves"
    r"|ensures?|avoids?|works?|does|can|allows?|lets?|makes?|compares?|breaks? down|walks?"
    r"|presents?|delivers?|contains?|supplies|tells? (?:the )?(?:user|reader|patient)s?"
    r"|encourages?|advises?|tackles?|maintains?|comes? from|touches)\b"
)
"""Verbs by which a merit is stated where nothing says that it is a fault."""

DEMERIT = _split(
    "wrong wrongly incorrect incorrectly inaccurate inaccuracy inaccuracies error errors erroneous "
    "mistake mistakes mistaken false falsehoods invalid flaw flawed flaws bug bugs buggy faulty "
    "issue issues irrelevant off-topic weak weaker poor poorer poorly bad worse worst inferior "
    "unhelpful useless verbose verbosity wordy wordiness rambling padded long-winded bloated "
    "lengthy dry cold stiff messy messier harder clumsy clumsier awkward error-prone problem "
    "problems miss misses missed missing work topic follow answer read reads feel sense part"
)
MERIT = frozenset((*STYLE, *CORRECT, *RELEVANT, *QUALITY)) - frozenset(DEMERIT)
"""Words of praise."""

FAULT = regex.compile(
    r"\b(?:not|no|never|nothing|nowhere|none|nor|without|cannot|\w+n't|hardly|barely|only|too"
    r"|instead of|rather than|where the|whereas|although|though|but|yet|despite|however"
    r"|fails?|failed|failing|failure|lacks?|lacking|miss(?:es|ed|ing)?|omit\w*|ignor\w*"
    r"|overlook\w*|neglect\w*|forget\w*|forgot\w*|skips?|drops|leaves? (?:\w+ )?(?:out|no)"
    r"|wrong\w*|incorrect\w*|inaccura\w*|errors?|mistakes?|mistaken|false\w*|bugs?|buggy|flaws?"
    r"|flawed|faulty|invalid|misunderst\w*|mislead\w*|misread\w*|mistrans\w*|mis(?:judg|interp"
    r"|quot|stat|represent|calculat|count)\w*|confus\w*|contradict\w*|invent\w*|fabricat\w*"
    r"|hallucinat\w*|made[- ]up|exceed\w*|over(?=\s+(?:the|its|\d))|above the|beyond|strays?"
    r"|goes off|off[- ]topic|rambl\w*|vague\w*|unclear|generic|superficial|shallow|poor\w*|weak"
    r"|bad\w*|worse|worst|unhelpful|useless|irrelevant|verbose|wordy|long-winded|bloated|padded"
    r"|repetitive|redundant|dangerous\w*|unsafe|harmful|risky|careless|casual for|crash\w*|raises"
    r"|breaks(?! down)|violat\w*|disregard\w*|assum\w*|claims?|pretends?|changes?|little|less|fewer"
    r"|problem\w*|unnecessar\w*|needless\w*|messy|clumsy|awkward|stiff|rude|cold|dismiss\w*"
    r"|insensitive|myth|nonsense|betray\w*|allows? \d|were asked|was asked for|was wanted|should"
    r"|unwanted|unasked|off limits|belongs|clumsier|messier|error-prone|requested \w+ was"
    r"|not allowed"
    r"|was (?:demanded|required|specified|ruled out|banned|forbidden|prohibited))\b"
)
"""What marks a fault; a sentence that has one is no mere praise."""

_BETTER = _split(
    "better worse clearer stronger weaker longer shorter simpler plainer warmer nicer richer safer "
    "deeper fuller easier harder faster slower closer friendlier livelier smoother cleaner tidier "
    "briefer broader wider sharper crisper tighter higher lower greater superior inferior "
    "preferable poorer smarter kinder calmer bolder cleverer neater finer truer fairer handier"
)
COMPARISON = regex.compile(
    rf"(?<!\bas the )(?<!\bas a )\b(?:{'|'.join(_BETTER)})\b(?! than \d)"
    r"|(?<!\bas the )(?<!\bas a )\b(?:more|less|fewer)\b(?! than (?:\d|one\b|two\b|three\b))"
    r"|\bthe other\b|\bunlike\b|\bwhereas\b|\bcompared\b|\bboth\b|\bneither\b|\bthan (?:response"
    r"|the other)\b|\bouts?hines?\b|\boutperform\w*|\bsurpass\w*|\bbeats?\b|\bequal(?:ly good)?\b"
    r"|\bprefer\w*|\bwins?\b|\bwinner\b|\bas (?:good|bad|well) as\b"
)
"""What sets one response against the other, without naming it."""

PLACE = regex.compile(
    r"\b(?:step|line|paragraph|sentence|stanza|verse|bullet|item|section|part|point|row|column"
    r"|example|equation|case|chapter|page|function|method)s? (?:\(?[a-z0-9]\)?(?![\w'])|number \w+)"
    r"|\b(?:first|second|third|fourth|fifth|sixth|last|final|opening|closing|penultimate|next"
    r"|previous|middle) (?:\w+ )?(?:line|paragraph|sentence|stanza|verse|bullet|item|section|part"
    r"|point|row|column|step|example|equation|case|clause|word|half|couplet|loop|call|argument"
    r"|branch|test|assertion|query)s?\b|\b(?:km|cm|mm|m|kg|g|mg|ml|l)/(?:s|h|min|kg|l|day)\b"
)
"""A place in a response, or a unit."""

NO_EVIDENCE = regex.compile(
    r"\b\d+(?:[.,]\d+)? ?(?:/|out of) ?(?:5|10|100)\b"
    r"|\b(?:rated?|scores?|scored|give it) (?:an? )?\d+"
    r"|\b100 ?%|\b(?:these|those|the|of) two\b|\btwo (?:responses|answers)\b|\bnumber one\b"
    r"|\b\d+ (?:stars?|points?|marks?)\b|\bstep by step\b|\bstep-by-step\b"
)
"""Numbers that nobody can look up: marks, and how many responses there are."""

LENGTH_ASKED = _split(
    "word words line lines sentence sentences character characters letters length limit short "
    "shorter brief briefly concise long page pages paragraph paragraphs"
)
LAYOUT_ASKED = _split(
    "format table bullet bullets heading headings markdown json yaml csv numbered emoji emojis"
)
TONE_ASKED = _split(
    "tone style voice formal informal casual polite friendly professional humorous funny playful "
    "conversational"
)
WORDING_ASKED = _split(
    "language rewrite rephrase paraphrase proofread simplify plain simple clear readable"
)
FORMS = (
    ((*LENGTH, "word", "words", "limit", "lines", "sentences"), LENGTH_ASKED),
    (LAYOUT, LAYOUT_ASKED),
    (TONE, TONE_ASKED),
    (WORDING, WORDING_ASKED),
)
"""Words of a form, and words of a request that asks for it: there the form is content."""

CRITERION = regex.compile(
    r"\b(?:wrong|another|other|same|requested|target|right|about the|the) language\b"
    r"(?! (?:of|in|is|used|feels|reads))"
)
"""A criterion in words that can also be about style."""

RELEVANCE = regex.compile(
    r"\b(?:(?:ir)?relevan\w+|(?:off|on)[- ]topic|topical|the topic|pertinent|responsive|directly"
    r"|helpful\w* to|(?:address|answer|follow|fulfil|satisf|meet|suit|fit|tackl|engag|compl|adher"
    r"|respond|stick|align|focus|miss)\w*(?: \w+){0,5}? (?:questions?|requests?|tasks?|prompts?"
    r"|query|queries|instructions?|needs?|users?|asked|requested|requirements?|intent)"
    r"|(?:what|as|than) (?:\w+ ){0,3}(?:asked|requested|needed|needs?|wants?|wanted))\b"
)
"""What says that a response is about the request, and no more."""

ENGLISH = frozenset(
    "a an and are as at be because but by for from has have in is it its not of on or so than that "
    "the this to was where which while with would response more does says gives".split()
)
FOREIGN = frozenset(
    "el la los las un una que y en es por con para del se lo su como más pero le les des est et "
    "une dans qui pas pour sur plus au der die das und ist nicht ein eine den von zu mit auf im "
    "sie auch als wird dem il di che non per sono della uma não com os um o e".split()
)
