"""Numbers in German, French and Spanish words, and clocks and dates as written there."""

from __future__ import annotations

import re

_NUMBERS = {
    word: value
    for words, value in (
        ("zwei deux dos", 2),
        ("drei trois tres", 3),
        ("vier quatre cuatro", 4),
        ("fünf cinq cinco", 5),
        ("sechs seis", 6),
        ("sieben sept siete", 7),
        ("acht huit ocho", 8),
        ("neun neuf nueve", 9),
        ("zehn dix diez", 10),
        ("elf onze once", 11),
        ("zwölf douze doce", 12),
        ("fünfzehn quinze quince", 15),
        ("zwanzig vingt veinte", 20),
        ("dreißig trente treinta", 30),
        ("vierzig quarante cuarenta", 40),
        ("fünfzig cinquante cincuenta", 50),
        ("hundert cent cien", 100),
        ("zweite zweiten zweiter deuxième segundo", 2),
        ("dritte dritten dritter troisième tercero", 3),
        ("vierte vierten vierter quatrième cuarto", 4),
        ("fünfte fünften fünfter cinquième quinto", 5),
        ("sechste sechsten sechster sixième sexto", 6),
        ("siebte siebten siebter septième séptimo", 7),
        ("achte achten achter huitième octavo", 8),
        ("neunte neunten neunter neuvième noveno", 9),
        ("zehnte zehnten zehnter dixième décimo", 10),
        ("elfte elften elfter", 11),
        ("zwölfte zwölften zwölfter", 12),
        ("fünfzehnte fünfzehnten", 15),
        ("zwanzigste zwanzigsten", 20),
        ("dreißigste dreißigsten", 30),
        ("dreizehn treize trece", 13),
        ("vierzehn quatorze catorce", 14),
        ("sechzehn seize dieciséis", 16),
        ("siebzehn diecisiete", 17),
        ("achtzehn dieciocho", 18),
        ("neunzehn diecinueve", 19),
        ("sechzig soixante sesenta", 60),
        ("siebzig setenta", 70),
        ("achtzig ochenta", 80),
        ("neunzig noventa", 90),
    )
    for word in words.split()
}
_FOREIGN = re.compile(
    r"\b(?:der|die|das|und|nicht|ist|ein|eine|einen|le|la|les|des|une|est|pas|dans|el|los|las|una"
    r"|del|que|por|de|statt|fehlt|nur|au|lieu|sobre|en|zu|nichts|auf|mit|von|im|es|sich|sie|aus"
    r"|wird|obwohl|für|war|waren|laut|aber|doch|bei|nach|als|den|dem|sont|sur|pour|il|se|con|pero"
    r"|para)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
FOREIGN_WORDS = 2
"""A text of so many small words of another language, one of eight at least, is in it."""
_SIGNS = re.compile(r"\d\. [jfmasondJFMASOND]|\dh\d\d")
_CLOCK = re.compile(r"\b(\d{1,2})(?:[.:](\d\d))? Uhr(?: (\d\d))?\b|\b(\d{1,2})h(\d\d)\b")
_DAY = re.compile(
    r"\b(\d{1,2})\.(?= (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober"
    r"|november|dezember)\b)",
    re.IGNORECASE,
)


def without_foreign_amounts(text: str, words: frozenset[str]) -> str:
    """The text with these in digits; `words`: its words in lower case.

    Words become digits only where other small words show the language: `acht` is a number in German
    and `once` none in English.
    """
    if not words.isdisjoint(_NUMBERS):
        small = len(_FOREIGN.findall(text))
        if small >= FOREIGN_WORDS and small * 8 >= text.count(" "):
            text = _NUMBER.sub(lambda match: str(_NUMBERS[match[0].lower()]), text)
    if "uhr" in words or _SIGNS.search(text):
        text = _CLOCK.sub(_clock, text)
        text = _DAY.sub(r"\1", text)
    return text


def _clock(match: re.Match[str]) -> str:
    """`16 Uhr 30` and `16h30` are `16:30`."""
    return f"{match[1] or match[4]}:{match[2] or match[3] or match[5] or '00'}"
