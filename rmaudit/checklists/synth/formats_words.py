"""Words of the list half of the family `formats`: topics with their entries, names, filler.

An entry is a noun phrase that can stand alone on a line; no entry holds another one of its topic.
`amounts` are labels with a unit and a range, for a line such as "Budget: 240 euros".
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

Amount = tuple[str, str, int, int]


class Topic(NamedTuple):
    """`title` opens a heading ("Packing list for Lisbon"); `purpose` completes "a list for ..."."""

    title: str
    purpose: str
    amounts: tuple[Amount, ...]
    entries: tuple[str, ...]


TOPICS = (
    Topic(
        "packing list", "the hike",
        (("Weight", "kilos", 10, 19), ("Distance", "kilometres", 12, 84)),
        (
            "rain jacket", "wool socks", "paper map", "head torch", "two water bottles",
            "trail mix", "blister plasters", "sun hat", "pocket knife", "sleeping bag",
            "camp stove", "tin mug", "spare laces", "whistle", "hiking poles", "thermal shirt",
            "dry sack", "insect spray",
        ),
    ),
    Topic(
        "shopping list", "the dinner",
        (("Budget", "euros", 25, 98), ("Guests", "people", 10, 28)),
        (
            "ripe tomatoes", "fresh basil", "olive oil", "smoked paprika", "sourdough bread",
            "goat cheese", "red onions", "unsalted butter", "two lemons", "black olives",
            "green beans", "vanilla ice cream", "sparkling water", "white beans", "roasted almonds",
            "chicken stock", "rice noodles", "dark chocolate",
        ),
    ),
    Topic(
        "meeting agenda", "the project team",
        (("Duration", "minutes", 25, 95), ("Invited", "people", 10, 24)),
        (
            "budget review", "hiring plan", "open risks", "customer feedback", "release date",
            "office move", "training days", "supplier contract", "holiday cover", "security audit",
            "website redesign", "quarterly targets", "parking spaces", "new intern",
            "travel policy", "data backup", "brand colours", "team lunch",
        ),
    ),
    Topic(
        "closing checklist", "the shop",
        (("Time needed", "minutes", 12, 48), ("Cash float", "euros", 60, 99)),
        (
            "lock the back door", "empty the till", "switch off the oven", "water the plants",
            "clean the counter", "close the windows", "take out the rubbish", "set the alarm",
            "count the stock", "sweep the floor", "turn down the heating", "cover the display",
            "charge the scanner", "bring in the sign", "rinse the coffee filter",
            "check the freezer", "fold the aprons", "note the sales",
        ),
    ),
    Topic(
        "first-aid list", "the workshop",
        (("Bag size", "litres", 11, 35), ("Staff", "people", 12, 60)),
        (
            "sterile gauze", "elastic bandage", "eye wash", "burn gel", "tweezers",
            "rescue blanket", "cold pack", "adhesive plasters", "rubber gloves", "antiseptic wipes",
            "blunt scissors", "finger splint", "face shield", "safety pins", "medical tape",
            "arm sling", "emergency numbers", "thermometer",
        ),
    ),
    Topic(
        "planting list", "the spring garden",
        (("Bed area", "square metres", 12, 68), ("Cost", "euros", 35, 99)),
        (
            "sweet peas", "early potatoes", "curly parsley", "runner beans", "red lettuce",
            "cherry tomatoes", "marigolds", "spring onions", "courgettes", "butternut squash",
            "baby carrots", "garlic chives", "sunflowers", "broad beans", "strawberry plants",
            "lemon thyme", "purple kale", "radishes",
        ),
    ),
    Topic(
        "moving checklist", "the new flat",
        (("Boxes", "pieces", 24, 90), ("Van size", "cubic metres", 11, 28)),
        (
            "cancel the internet", "label every box", "read the meters", "hand over the keys",
            "book the van", "wrap the glasses", "defrost the fridge", "forward the post",
            "measure the doorway", "thank the neighbours", "photograph the walls", "pack the tools",
            "return library books", "drain the washer", "update the address", "insure the piano",
            "take down curtains", "borrow a trolley",
        ),
    ),
    Topic(
        "onboarding plan", "the new colleague",
        (("Trial period", "weeks", 12, 26), ("Team size", "people", 10, 30)),
        (
            "desk tour", "laptop setup", "safety briefing", "lunch with the team", "payroll form",
            "mentor meeting", "code of conduct", "phone extension", "first small task",
            "calendar access", "badge photo", "coffee with finance", "style guide",
            "customer visit", "password manager", "training budget", "feedback round",
            "parking permit",
        ),
    ),
    Topic(
        "release checklist", "the data set",
        (("Rows", "thousand", 20, 96), ("Review time", "days", 10, 29)),
        (
            "licence file", "field descriptions", "duplicate check", "known gaps",
            "contact address", "download test", "version number", "collection dates",
            "consent records", "sample rows", "checksum list", "change log", "citation text",
            "missing values", "encoding check", "privacy review", "language codes", "split sizes",
        ),
    ),
    Topic(
        "bike service list", "the tune-up",
        (("Labour", "minutes", 30, 95), ("Price", "euros", 35, 99)),
        (
            "brake pads", "chain wear", "tyre pressure", "gear cable", "front light",
            "bottom bracket", "spoke tension", "saddle height", "wheel bearings", "handlebar tape",
            "rear reflector", "pedal threads", "headset play", "mudguard screws", "bell",
            "rim tape", "derailleur hanger", "luggage rack",
        ),
    ),
    Topic(
        "excursion list", "the school trip",
        (("Pupils", "children", 14, 32), ("Bus fare", "euros", 12, 48)),
        (
            "signed forms", "packed lunches", "sun cream", "name tags", "group tickets",
            "spare gloves", "museum worksheets", "hand wipes", "sick bags", "roll call sheet",
            "pencils", "travel games", "allergy list", "emergency phone", "reflective vests",
            "drinking straws", "camera", "apple slices",
        ),
    ),
    Topic(
        "cleaning plan", "the studio",
        (("Time slot", "minutes", 30, 95), ("Rooms", "rooms", 10, 24)),
        (
            "dust the shelves", "wipe the mirrors", "mop the hallway", "scrub the sink",
            "vacuum the rug", "polish the handles", "wash the towels", "descale the kettle",
            "air the cushions", "sort the cables", "clear the drain", "shake out the mats",
            "refill the soap", "clean the lamps", "beat the carpet", "oil the hinges",
            "bleach the grout", "rinse the buckets",
        ),
    ),
    Topic(
        "tour plan", "the museum visit",
        (("Tour length", "minutes", 35, 95), ("Group size", "people", 12, 38)),
        (
            "bronze helmets", "glass garden", "whale skeleton", "old printing press", "moon rock",
            "amber room", "ship models", "portrait gallery", "mosaic floor", "clock tower",
            "dinosaur eggs", "spice cabinet", "silk banners", "coin vault", "tea house",
            "fossil wall", "star maps", "roof terrace",
        ),
    ),
    Topic(
        "gear list", "the photo shoot",
        (("Bag weight", "kilos", 10, 22), ("Shots", "pictures", 40, 98)),
        (
            "wide lens", "spare battery", "grey card", "tripod plate", "memory cards", "lens cloth",
            "light meter", "soft box", "colour gels", "remote trigger", "step ladder", "rain cover",
            "macro ring", "clamp set", "white umbrella", "battery charger", "gaffer tape",
            "reflector disc",
        ),
    ),
    Topic(
        "tool list", "the shelf project",
        (("Board length", "centimetres", 45, 99), ("Working time", "hours", 10, 24)),
        (
            "claw hammer", "spirit level", "wood glue", "sanding block", "tape measure",
            "cordless drill", "countersink bit", "carpenter pencil", "hand saw", "corner clamps",
            "wall plugs", "mitre box", "dust mask", "ear defenders", "wood screws", "paint brush",
            "chisel set", "try square",
        ),
    ),
    Topic(
        "picnic list", "the Sunday outing",
        (("Guests", "people", 10, 26), ("Budget", "euros", 22, 78)),
        (
            "egg sandwiches", "iced tea", "checked blanket", "paper napkins", "potato salad",
            "cheese cubes", "strawberries", "bread knife", "lemonade", "cork screw",
            "wooden plates", "olive skewers", "crisps", "apple cake", "cool box", "card games",
            "salt shaker", "grape juice",
        ),
    ),
    Topic(
        "car kit list", "the winter drive",
        (("Tank range", "kilometres", 45, 95), ("Tyre depth", "tenths of a millimetre", 40, 80)),
        (
            "ice scraper", "jump leads", "tow rope", "warning triangle", "wool blanket",
            "snow chains", "hand warmer", "small shovel", "spare fuses", "screen wash",
            "phone charger", "sand bag", "road atlas", "work gloves", "tyre gauge", "energy bars",
            "oil can", "folding chair",
        ),
    ),
    Topic(
        "bakery order", "the café",
        (("Delivery fee", "euros", 11, 29), ("Trays", "trays", 10, 24)),
        (
            "rye loaves", "butter croissants", "almond rings", "seeded rolls", "plum tarts",
            "cinnamon buns", "spelt baguettes", "lemon slices", "cheese straws", "oat biscuits",
            "poppy twists", "carrot muffins", "onion flatbread", "raisin scones", "nut corners",
            "honey waffles", "apple turnovers", "corn bread",
        ),
    ),
    Topic(
        "lab supply list", "the chemistry course",
        (("Students", "people", 12, 36), ("Bench time", "minutes", 45, 95)),
        (
            "glass beakers", "filter paper", "safety goggles", "pipette tips", "litmus strips",
            "stirring rods", "latex gloves", "sample vials", "cotton wool", "distilled water",
            "rubber stoppers", "wax pencils", "weighing boats", "spill kit", "tongs", "copper wire",
            "buffer tablets", "ice bucket",
        ),
    ),
    Topic(
        "repair list", "the rented house",
        (("Deposit", "euros", 40, 98), ("Notice", "days", 10, 28)),
        (
            "dripping tap", "loose banister", "cracked tile", "jammed window", "broken doorbell",
            "damp corner", "squeaky stairs", "faulty socket", "leaking gutter", "torn screen",
            "missing key", "stuck drawer", "blocked chimney", "rusty hinge", "peeling paint",
            "cold radiator", "wobbly fence", "chipped sill",
        ),
    ),
)  # fmt: skip

FIRST_NAMES = (
    "Mara", "Tomas", "Aisha", "Jonas", "Priya", "Lena", "Diego", "Wanda", "Kofi", "Elif", "Soren",
    "Nadia", "Hugo", "Ingrid", "Malik", "Rosa", "Pavel", "Yuki", "Greta", "Owen",
)  # fmt: skip
LAST_NAMES = (
    "Lindt", "Okoye", "Varga", "Brandt", "Moreau", "Sato", "Keller", "Novak", "Ferri", "Haas",
    "Duarte", "Quist", "Olsen", "Petrov", "Mbeki", "Walsh", "Ritter", "Costa", "Adair", "Nkemba",
)  # fmt: skip
PLACES = (
    "Lisbon", "Bergen", "Tampere", "Galway", "Turin", "Ghent", "Porto", "Leeds", "Kyoto", "Graz",
    "Lyon", "Seville", "Tartu", "Accra", "Bristol", "Bremen", "Ottawa", "Nantes", "Dakar", "Quito",
    "Perth", "Cork", "Oslo", "Malmö",
)  # fmt: skip
ADJECTIVES = (
    "essential", "complete", "handy", "ultimate", "basic", "quick", "simple", "final", "short",
    "official", "practical", "useful", "detailed", "tidy", "smart", "reliable", "minimal",
    "standard", "updated", "compact", "sensible", "classic", "foolproof", "revised",
)  # fmt: skip
FILLERS = (
    "Nothing here takes long.", "Most of it is easy to come by.", "The order is only a suggestion.",
    "Anything missing can be added later.", "A glance at it every morning helps.",
    "Ticking things off is half the fun.", "It has been kept brief on purpose.",
    "Please ask before anything is changed.", "Everybody involved has seen it.",
    "Some of it may already be in the house.", "Last year's version was much longer.",
    "A printed copy hangs by the door.", "Whoever is free can take care of it.",
    "There is no need to rush.", "Small things are easy to forget.", "It was agreed on last week.",
    "Doubts are best raised early.", "Everything else can wait until next time.",
)  # fmt: skip


def namesakes(rng: Random) -> list[str]:
    """Six full names in random order that share two first and three last names."""
    firsts, lasts = rng.sample(FIRST_NAMES, 2), rng.sample(LAST_NAMES, 3)
    names = [f"{first} {last}" for first in firsts for last in lasts]
    return rng.sample(names, len(names))
