"""Words that the embedded judge knows: synonyms, units, and words that say nothing specific."""

from __future__ import annotations

MONTHS = (
    "january february march april may june july august september october november december"
).split()

UNITS = (
    "m2 m3 kg gram km kilometre metre cm mm litre ml minute hour second day week month percent "
    "dollar pound euro cent"
).split()
"""A wrong unit is a wrong value."""

SYNONYMS = (
    "price cost charge fee",
    "dollar usd",
    "city town",
    "character char letter",
    "heading header headline title",
    "function method routine def",
    "docstring documentation",
    "colour color",
    "sort rank",
    "divide division",
    "ascending ascend",
    "litre liter",
    "metre meter m",
    "kg kilogram kilo",
    "gram g",
    "km kilometre kilometer",
    "minute min",
    "hour hr h",
    "second sec",
    "competitor rival",
    "discount saving reduction",
    "code voucher coupon",
    "hashtag hashtags",
    "audience readership",
    "duplicate twice double",
    "percent percentage",
    "delete remove erase",
    "empty blank",
    "deadline date",
    "couplet couplets",
    "rhyme scheme",
    "add append insert",
    "biggest largest highest maximum greatest",
    "smallest lowest minimum least",
    "customer client buyer",
    "photo picture image",
    "email mail e-mail",
    "last final closing",
    "begin start open opening",
    "sum total",
    "greet greeting hello",
    "raise throw crash",
    "lowercase lower",
    "uppercase upper capital",
    "bold boldface",
    "quote quotation quoted unquoted",
    "allow permit",
    "length long longer",
    "width wide",
    "height high tall",
    "depth deep",
)

GENERIC = (
    "answer asks bullet call character code cost count fact field give idea include input item "
    "key letter line list mention name number output part phrase place point price product "
    "prompt reply request required requirement response result return say sentence show "
    "solution state statement step task text thing type use user value version word write also "
    "very more most much many leave forget omit miss lack skip exceed wrong incorrect error "
    "mistake never nowhere anywhere fail forbidden banned feature detail says said gives given "
    "uses used contains contain instead get gets make makes made put puts take takes brief "
    "client customer wants want demand demands expect expected ask asked bug buggy problem "
    "issue rule order set right correct only exactly explicitly appear appears stand stands "
    "claim claims speak read reads tell tells keep keeps come comes go goes end ends begin "
    "begins start starts open opening first last final closing new old one two entry entries "
    "kind way case run running work works working calculation arrive lead turn become change "
    "limit requested demanded specified instruction instructions wanted needed although however "
    "yet though while whereas rather entirely simply still even back reference reason score "
    "true false find found called named naming ad advert advertisement advertises slogan copy "
    "ought supposed meant mean means yield reach report reports describe describes description"
).split()
"""Content words of critique that point to nothing specific."""

STOP = frozenset(
    "a an and are as at be been being by can could did do does for from had has have he her his i "
    "if in into is it its just of on one or our she so some such than that the their them then "
    "there these they this those to too up us was we were what when which who why will with would "
    "you your about after again all any because before both each few further here how me my off "
    "other own same until out where while not no nor only response responses s t but yet "
    "although though whereas however since whether unlike instead rather".split()
)

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), start=2
    )
}
