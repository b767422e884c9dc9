"""The vocabulary of critique: words of style, correctness, relevance and quality, and criteria.

For the embedded labeller. The lists hold general words of critique, none of a particular set.
"""

from __future__ import annotations


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LENGTH = _split(
    "length long longer longest lengthy short shorter shortest brief briefer briefly brevity "
    "concise concisely conciseness succinct succinctly terse compact verbose verbosity wordy "
    "wordiness rambling ramble rambles padded padding bloated winded"
)
LAYOUT = _split(
    "messier format formats formatting formatted layout structure structured structuring "
    "organized organised organization organisation disorganized disorganised heading headings "
    "header headers bullet bullets bulleted bold markdown numbered numbering emoji emojis spacing "
    "paragraph paragraphs presentation presented presents visual visually looks look scannable "
    "tidy tidier neat neater neatly clean cleaner cleanly messy cluttered"
)
TONE = _split(
    "sounds sounding tone style styles stylistic voice formal formality informal casual polite "
    "politely politeness impolite friendly friendlier unfriendly warm warmer warmth kind "
    "professional professionally professionalism unprofessional conversational respectful "
    "disrespectful confident enthusiastic playful lively livelier dry cold stiff rude blunt "
    "bluntly curt humble sweet entertaining entertainingly condescending preachy robotic charming "
    "charm flair dramatic"
)
WORDING = _split(
    "harder clumsier clear clearer clearest clarity unclear readable readability unreadable "
    "legible easy easier easily read reads reading follow understand understandable understood "
    "fluent fluently fluency flow flows flowing smooth smoother smoothly elegant elegantly "
    "elegance graceful gracefully eloquent eloquently polish polished unpolished vivid vividly "
    "catchy crisp punchy simple simpler plain plainer plainly wording worded phrase phrases "
    "phrased phrasing writing prose natural naturally unnatural engaging engagingly fun pleasant "
    "pleasing pleasantly enjoyable coherent coherently coherence incoherent cohesive articulate "
    "accessible snappy stylish expression expressions expressive beautifully nicely clunky clumsy "
    "awkward awkwardly gripping captivating dull boring bland tedious witty stilted choppy "
    "sentence sentences lucid straightforward digestible approachable"
)
STYLE = (*LENGTH, *LAYOUT, *TONE, *WORDING)

CORRECT = _split(
    "prone problem problems correct correctly correctness right rightly wrong wrongly incorrect "
    "incorrectly accurate accurately accuracy inaccurate inaccurately inaccuracy inaccuracies "
    "error errors erroneous mistake mistakes mistaken fact facts factual factually untrue true "
    "truth truthful false falsehood falsehoods misinformation valid validity invalid sound "
    "unsound precise precisely precision imprecise reliable reliably unreliable flawless "
    "flawlessly flaw flawed flaws bug bugs buggy broken faulty issue issues works working work "
    "expected nonsense scientifically technically mathematically historically medically "
    "grammatically fundamentally"
)
RELEVANT = _split(
    "missed missing relevant relevance irrelevant topic topical address addresses addressed "
    "addressing answered answering answers follows followed following adhere adheres adherence "
    "comply complies compliance fulfil fulfils fulfill fulfills fulfilled satisfy satisfies "
    "satisfied satisfying meet meets met suit suits suited suitable fit fits aligned align aligns "
    "responsive unresponsive directly engage engages appropriate appropriately intent intention "
    "intended focus focused focuses focussed stays stay sticks stick tackles pertinent accomplish "
    "accomplishes accomplished tailored responds respond completes covers cover falls fall misses "
    "miss matches match better-suited head-on head"
)
QUALITY = _split(
    "faithful good better best great greater greatest nice nicer excellent superb superior "
    "inferior strong stronger strongest strongly weak weaker weakest poor poorer poorly bad badly "
    "worse worst wonderful fantastic amazing brilliant outstanding impressive impressively decent "
    "solid fine perfect perfectly quality helpful helpfully helpfulness helps help useful "
    "usefulness unhelpful useless thorough thoroughly thoroughness comprehensive comprehensively "
    "complete completely completeness incomplete detailed detail details full fuller fully rich "
    "richer depth deep deeper deeply insight insights insightful thoughtful thoughtfully "
    "thoughtless convincing convincingly convinced convinces unconvincing compelling persuasive "
    "persuasively effective effectively ineffective balanced nuanced valuable value worthwhile "
    "advanced smart clever intelligent creative creatively creativity original interesting "
    "attractive appealing satisfactory unsatisfactory adequate adequately inadequate sufficient "
    "sufficiently insufficient ideal preferable prefer preferred preference favor favour win wins "
    "winner winning stands stand effort care cares careful carefully careless sloppy lazy rushed "
    "well really truly genuinely real genuine understanding wisdom grasp knowledge knowledgeable "
    "expertise expert logical logically logic soul heart love passion passionate touches feel "
    "feels feeling sense senses human impression robust rounded holistic meaningful substantive "
    "commendable admirable remarkable exceptional extraordinary memorable beautiful lovely "
    "stunning powerful terrific stellar notch mediocre acceptable unacceptable disappointing "
    "satisfying lacklustre lackluster subpar substandard shallow superficial generic vague empty "
    "hollow competent capable skilled masterful faithfully closely strictly loosely flimsy "
    "trustworthy trustworthiness credible confidence radiates means betrays author authors "
    "whoever character hands serious seriously modern sincere insincere spreads"
)
BARE = _split(
    "leave leaves leaving left several some many partly exact exactly clearly assistant model "
    "chatbot output option candidate other another one ones user users person people asker reader "
    "readers everyone everything anything nothing something all any every request requests "
    "requested question questions asked ask asks asking task tasks prompt prompts query queries "
    "instruction instructions instructed need needs needed want wants wanted require requires "
    "required requirement requirements constraint constraints brief concern concerns response "
    "content contents information info explanation explanations explain explains reason reasons "
    "reasoning conclusion conclusions solution solutions suggestion suggestions advice approach "
    "result results outcome end matter subject issue point points way ways manner fashion respect "
    "thing things lot bit job much level levels part parts text code program script "
    "implementation implement implements implemented translation translate translates summary "
    "story essay poem email letter reply toast recipe article piece version line lines language "
    "first name names named mention mentions mentioned give gives giving given provide provides "
    "provided providing offer offers offered make makes made do does done doing use uses using "
    "used contain contains containing include includes including show shows showing have having "
    "get gets go goes going come comes be being say says said fail fails failed failing fall "
    "short lack lacks lacking manage manages try tries attempt deliver delivers deal handle "
    "handles add adds reflect reflects contribute arrives arrive reach reaches rate score scores "
    "scored think believe consider find found would could should may might must can will shall "
    "let run runs keep keeps kept take takes treat treats check out very quite rather too also "
    "still just even only more most less least far somewhat slightly significantly considerably "
    "definitely certainly simply overly throughout always entirely absolutely instead than both "
    "neither either while whereas compared comparison unlike since because as so therefore hence "
    "thus although though but however yet there here whole generally general overall place kind "
    "type sort terms aspect aspects final calculation calculations medical straight written "
    "without within"
)

CRITERIA = _split(
    "safety safe unsafe safely danger dangerous risk risks risky harm harmful edge corner "
    "exception exceptions efficiency efficient efficiently performance runtime complexity memory "
    "speed scalability maintainability security secure insecure vulnerable vulnerability testing "
    "tests documentation dependency dependencies types unit units step steps derivation proof "
    "assumption assumptions verify verifies checks intermediate grammar spelling punctuation "
    "register idiom idioms idiomatic meaning nuance tense gender rhyme rhymes meter metre "
    "syllable syllables imagery metaphor plot characters dialogue setting perspective humour "
    "humor funny joke jokes audience age children child empathy ethics ethical bias fairness "
    "privacy legal illegal legally law laws source sources citation citations reference "
    "references warning warnings signs side interaction interactions dose dosage example examples "
    "budget price cost deadline limit limits background context history historical cause causes "
    "mechanism alternatives limitations cultural culture feasibility technical vocabulary jargon "
    "weekday pronunciation physics physical outcomes percentage base season apology refund "
    "rounding decimals formula diagram chronology"
)
"""What kinds of task are judged by."""

LENGTH_ASKED = _split(
    "words lines line sentence sentences characters character letters length limit short shorter "
    "briefly concise long pages page paragraph paragraphs"
)
LAYOUT_ASKED = _split("format markdown heading headings emoji emojis layout")
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

MERIT = frozenset(
    _split(
        "brief short plainly brevity concise concisely conciseness succinct succinctly compact "
        "structured organized organised tidy tidier neat neatly clean cleanly scannable polite "
        "politely politeness friendly warm warmth kind professional professionally respectful "
        "confident enthusiastic playful lively entertaining conversational charming charm flair "
        "clear clearly clarity readable legible easy easily fluent fluently smooth smoothly "
        "elegant elegantly elegance graceful gracefully eloquent eloquently polished vivid "
        "vividly catchy crisp punchy simple engaging fun pleasant pleasing enjoyable coherent "
        "cohesive articulate accessible snappy stylish expressive beautifully nicely gripping "
        "captivating witty lucid straightforward naturally natural flows formal correct "
        "correctly right rightly accurate accurately accuracy factual factually true truthful "
        "valid sound precise precisely precision exact exactly reliable reliably flawless "
        "flawlessly works relevant pertinent directly responsive suitable fits fit appropriate "
        "appropriately good best great greatest nice excellent superb strong strongest "
        "wonderful fantastic amazing brilliant outstanding impressive decent solid fine perfect "
        "perfectly helpful helpfully useful thorough thoroughly comprehensive comprehensively "
        "complete completely detailed full fully rich depth deep insight insights insightful "
        "thoughtful convincing convincingly compelling persuasive effective effectively "
        "balanced nuanced valuable worthwhile smart clever intelligent creative creatively "
        "original interesting attractive appealing satisfactory adequate sufficient ideal "
        "careful carefully well genuine wisdom knowledgeable logical robust meaningful "
        "substantive commendable admirable remarkable exceptional memorable beautiful lovely "
        "stunning powerful terrific stellar competent trustworthy credible properly efficient "
        "efficiently safe safely secure practical actionable realistic idiomatic funny"
    )
)
"""Words of praise."""

INTERCHANGEABLE = _split(
    "mention say state name write call include contain give list provide use advertise show "
    "price cost charge dollar usd euro amount city place town location ship request brief "
    "prompt task instruction user ask require demand word term phrase expression character "
    "letter char length bullet point item answer result final total value function method "
    "routine def return output yield number figure count heading header title key field "
    "property unit measure input argument parameter"
)
"""Words that critique uses for one another; they point to nothing."""

CLAIMS_A_FAULT = _split(
    r"omit\w* miss(?:es|ing|ed)? lack\w* absent absence forget\w* forgot\w* skip\w* drops? "
    r"dropped without neglect\w* nowhere forbid\w* forbad\w* banned? prohibit\w* disallow\w* "
    r"unwanted extra superfluous unrequested despite excluded unasked adds? wrong\w* incorrect\w* "
    r"errors? erroneous\w* mistak\w* inaccura\w* miscalculat\w* miscount\w* instead although "
    r"though but yet contradict\w* confus\w* false\w* mislead\w* misstat\w* misspel\w* bugs? buggy "
    r"fault\w* not \w+n't no neither invent\w* swap\w* replac\w* where fails? failed crash\w* "
    r"raises? ignor\w* violat\w* breaks? broken invalid mismatch\w* vague\w* unclear weak\w* "
    r"poor\w* bad\w* worse only exceed\w* longer above beyond surpass\w* over wordy verbose "
    r"shorter below fewer under"
)
"""Expressions of single words that claim a fault, whatever it is."""
