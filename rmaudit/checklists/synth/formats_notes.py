"""Harmless words of the family `formats`: notes after entries of a list, texts in a JSON object.

They state nothing that a request can ask for or rule out, and differ between any two responses.
"""

from __future__ import annotations

from rmaudit.checklists.synth.base import worded

NOTES = (
    "before noon", "with help", "after breakfast", "when asked", "with friends", "this week",
    "without hurry", "for safety", "as usual", "for order", "at leisure", "in passing",
    "on request", "at dusk", "in pairs", "from memory", "by daylight", "over coffee",
    "in silence", "with care", "at once", "in turns", "on foot", "by hand",
)  # fmt: skip
"""What can follow any entry of a list."""
NOTE_FORMS = ("{entry} – {note}", "{entry} / {note}", "{entry} … {note}")

REMARKS: dict[str, tuple[str, ...]] = {
    core: worded(core, heads, tails)
    for core, heads, tails in (
        ("in no fixed order", ("Everything stands", "All entries are", "The points come"),
         ("as usual", "this time", "on purpose")),
        ("kept by the door", ("A printed copy is", "One copy is", "The signed copy is"),
         ("all year", "for visitors", "from today")),
        ("open to changes", ("All of it is", "It stays", "Everything is"),
         ("until it is signed", "for now", "as before")),
        ("agreed with everybody", ("It was", "The whole of it was", "Each point was"),
         ("last week", "by phone", "in advance")),
        ("easy to come by", ("Most of it is", "Nearly all is", "The rest is"),
         ("nowadays", "at any time", "in town")),
        ("worth a second look", ("Every line is", "The end is", "Each entry is"),
         ("later on", "in the evening", "by daylight")),
    )
}  # fmt: skip
"""Phrases that the introduction of every list has, with the sentences around them."""
REMARK_ASKS = (
    'Work the words "{core}" into the introduction.', 'Say "{core}" before the bullets.',
    'The introduction has the phrase "{core}".',
)  # fmt: skip

TEXTS: dict[str, tuple[str, ...]] = {
    "summary": worded(
        "{title} in brief", ("This is the", "Here is the", "Please find the"),
        ("for the file", "as discussed", "without comment"),
    ),
    "next_step": worded(
        "the office by phone", ("Somebody should call", "It helps to ask", "A colleague reaches"),
        ("within the week", "when it is quiet", "before lunch"),
    ),
    "handling": worded(
        "in the green folder", ("Keep a copy", "Store the original", "Leave it"),
        ("until the audit", "at the front desk", "for now"),
    ),
    "origin": worded(
        "was entered by hand", ("All of it", "The whole record", "Every line"),
        ("after the meeting", "from a letter", "on a tablet"),
    ),
    "caution": worded(
        "may change without notice", ("Some of it", "A few details", "Small things"),
        ("until it is signed", "later on", "as usual"),
    ),
    "scope": worded(
        "the current month only", ("It concerns", "This covers", "It describes"),
        ("so far", "as agreed", "by design"),
    ),
    "wording": worded(
        "plain words", ("It is written in", "Everything is in", "We stick to"),
        ("on purpose", "for all readers", "throughout"),
    ),
    "thanks": worded(
        "to everybody involved", ("Many thanks", "A warm thank-you", "Kind regards"),
        ("for the patience", "in advance", "as always"),
    ),
}  # fmt: skip
"""Keys that every object has, with sentences for their values."""
TEXT_ASKS = (
    'Put a sentence of your own under "{key}".', 'Add a key "{key}" with a short sentence.',
    'Under "{key}", write one sentence in your own words.',
)  # fmt: skip
