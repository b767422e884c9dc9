"""Words that the embedded judge knows: synonyms, units, and words that say nothing specific."""

from __future__ import annotations

MONTHS = (
    "january february march april may june july august september october november december"
).split()

UNITS = (
    "m2 m3 kg gram km kilometre metre cm mm litre ml minute hour second day week month percent "
    "dollar pound euro cent mg cl mm tonne mile"
).split()
"""A wrong unit is a wrong value."""

ABROAD = (
    "monday montag lundi lunes",
    "tuesday dienstag mardi martes",
    "wednesday mittwoch mercredi miércoles",
    "thursday donnerstag jeudi jueves",
    "friday freitag vendredi viernes",
    "saturday samstag sonnabend samedi sábado",
    "sunday sonntag dimanche domingo",
    "january januar janvier enero",
    "february februar février febrero",
    "march märz marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august août agosto",
    "september septembre septiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember décembre diciembre",
    "day tag tage tagen jour jours journée día días",
    "week woche wochen semaine semana semanas",
    "month monat monate mois mes meses",
    "year jahr jahre jahren année années año años",
    "hour stunde stunden heure heures hora horas",
    "minute minuten minutos",
    "price preis prix precio",
    "name namen nom nombre",
    "time uhrzeit zeit horaire",
    "word wort wörter mot mots palabra palabras",
    "sentence satz sätze phrase phrases frase frases",
    "city stadt ville ciudad",
    "colour farbe couleur",
    "code gutschein gutscheincode código",
    "car auto wagen voiture coche",
    "rent rental mieten miete mietwagen louer loué location alquilar alquiler",
    "train zug train tren",
    "water wasser eau agua",
    "eat essen gegessen manger comer",
    "drink trinken boire beber",
    "reason grund raison motivo",
    "appointment termin rendez-vous cita",
    "doctor arzt ärztin médecin médico",
    "house haus maison casa",
    "child kind kinder enfant enfants niño niños",
    "brother bruder frère hermano",
    "sister schwester sœur hermana",
    "mother mutter mère madre",
    "father vater père padre",
    "money geld argent dinero",
    "book buch livre libro",
    "letter brief lettre carta",
    "school schule école escuela",
    "work arbeit travail trabajo",
    "evening abend abends soir soirée noche tarde",
    "morning morgens matin mañana",
    "traveller reisende reisender voyageur viajero",
    "customer kunde kunden client cliente",
    "flight flug vol vuelo",
    "hotel hotels hôtel",
    "beforehand vorher zuvor auparavant antes",
    "anything nichts rien nada etwas",
    "vegan végane vegano vegetalien",
    "milk milch lait leche",
    "butter beurre mantequilla",
    "egg ei eier œuf œufs huevo huevos",
    "translation übersetzung übersetzt traduction traduit traducción traduce",
    "formal förmlich siezen vouvoyer formel",
    "informal duzen tutoyer",
    "friend freund freundin ami amie amigo amiga",
    "meeting treffen besprechung réunion reunión",
    "rain regen pluie lluvia",
)
"""Plain words of German, French and Spanish, for reasons in the language of their item."""

SYNONYMS = (
    "price cost charge fee",
    "dollar usd buck",
    "pound quid gbp",
    "euro eur",
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
    "mg milligram milligramme",
    "ml millilitre milliliter",
    "cl centilitre centiliter",
    "cm centimetre centimeter",
    "mm millimetre millimeter",
    "tonne ton",
    "mile mi",
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
    "add append insert plus",
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

CAUSES = (
    "empty nothing without element blank",
    "raise crash throw fall zerodivisionerror indexerror guard",
    "place copy mutate caller alter own original modify",
    "round truncate chop cut floor integer digit decimal half",
    "ascending descending order sort reverse minus sign negate worst best largest smallest",
    "case lower upper capital lowercase uppercase small letter",
    "zero 0 nought",
    "equal exactly inclusive boundary bound edge limit last upper lower high low strict <=",
    "duplicate twice repeated again second already present exist",
    "front head beginning prepend insert 0 order reverse",
    "blank space pad padded leading zero digit",
    "touch adjacent meet apart merge",
    "contain inside nested enclose shorten end larger short",
    "negative minus below absolute sign",
    "shared default mutable between persist keep",
    "punctuation comma mark strip exclamation question",
    "tie equal alphabetical alphabet name",
    "window pair early before final last miss",
    "alphabet wrap modulus 25 26 modulo",
    "left right direction rotate shift other",
    "overwrite later first earlier keep stay replace",
    "none null missing skip zero ignore",
)
"""What causes a bug, in words that stand for one another."""

CODE_TOPICS = (
    "docstring comment annotation annotate annotated type hint signature parameter argument rename "
    "renamed complexity linear constant o test name named generator comprehension counter "
    "library import module dictionary variable line lines"
).split()
"""What a complaint about code may be about, other than what it computes."""

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
    "although though whereas however since whether unlike instead rather should must ought".split()
)

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), start=2
    )
}
