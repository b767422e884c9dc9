"""Words of the family `ad-copy`: products, facts to state, things to avoid, and neutral filler.

Pools hold values of similar form and length, so that a wrong value looks like a right one.
No filler, and no call to action, speaks to the reader as "you" or holds a digit, a hashtag or an
exclamation mark.
"""

from __future__ import annotations

from typing import NamedTuple


class Product(NamedTuple):
    """What is advertised. Ideas complete "It is ..."; audiences complete "made for ..."."""

    noun: str
    ideas: tuple[str, ...]
    audiences: tuple[str, ...]
    headlines: tuple[str, ...]


PRODUCTS = (
    Product(
        "desk lamp",
        (
            "free of flicker", "easy to dim", "made of recycled steel", "simple to repair",
            "silent at any setting", "slim enough for a shelf",
        ),
        (
            "late readers", "architecture students", "model builders", "watercolour painters",
            "translators",
        ),
        (
            "Night work deserves good light.", "Dark corners had a good run.",
            "One more chapter, then sleep.",
        ),
    ),
    Product(
        "cargo bike",
        (
            "rated for two children", "quick to fold", "stable on cobbles",
            "built from one steel frame", "easy to park upright", "quiet on gravel",
        ),
        ("young families", "market traders", "city gardeners", "small bakeries", "parcel couriers"),
        (
            "The second car can stay home.", "Groceries like fresh air too.",
            "School runs without the queue.",
        ),
    ),
    Product(
        "espresso machine",
        (
            "ready in half a minute", "easy to descale", "gentle with light roasts",
            "made of brushed steel", "small enough for a studio", "quiet in the morning",
        ),
        ("night nurses", "home baristas", "small offices", "shared kitchens", "early commuters"),
        ("Mornings run on steam.", "Good crema needs no queue.", "The café can keep its cups."),
    ),
    Product(
        "hiking backpack",
        (
            "fully waterproof", "light on the shoulders", "sewn from old sails", "easy to adjust",
            "padded along the spine", "sized for cabin luggage",
        ),
        ("weekend hikers", "hut wardens", "rail travellers", "botany students", "trail runners"),
        (
            "The ridge is closer than it looks.", "Pack once, walk for days.",
            "Rain was always the plan.",
        ),
    ),
    Product(
        "office chair",
        (
            "adjustable at seven points", "padded with natural wool", "kind to wooden floors",
            "easy to assemble", "tested for tall people", "free of squeaks",
        ),
        ("software teams", "thesis writers", "call centre staff", "radio editors", "accountants"),
        (
            "Long days need a good seat.", "Backs remember every meeting.",
            "Sit like the work matters.",
        ),
    ),
    Product(
        "rain jacket",
        (
            "windproof and breathable", "taped at every seam", "made without PFAS",
            "roomy over a jumper", "easy to patch", "packed into its own hood",
        ),
        ("dog walkers", "bike commuters", "festival crews", "harbour pilots", "forest rangers"),
        (
            "Clouds are only a suggestion.", "Wet weather, dry shoulders.",
            "Out of the door, whatever falls.",
        ),
    ),
    Product(
        "bread oven",
        (
            "hot within ten minutes", "lined with real stone", "easy to sweep out",
            "insulated on all sides", "built for sourdough", "safe to touch outside",
        ),
        ("hobby bakers", "pizza stalls", "farm shops", "scout groups", "cooking schools"),
        ("Crust is a matter of heat.", "Sunday smells like rye.", "Flour, water, fire, done."),
    ),
    Product(
        "board game",
        (
            "playable in half an hour", "printed on thick card", "fair to new players",
            "free of plastic", "different every round", "easy to explain",
        ),
        (
            "patient grandparents", "student flats", "train travellers", "quiz teams",
            "rainy campsites",
        ),
        (
            "Phones down, dice up.", "Somebody always blames the goat.",
            "The table is the playground.",
        ),
    ),
    Product(
        "garden hose",
        (
            "safe for drinking water", "free of kinks", "light when full", "frost resistant",
            "made in one piece", "easy to coil",
        ),
        ("allotment keepers", "tomato growers", "roof gardeners", "car washers", "rose breeders"),
        ("Dry beds have no excuse.", "Beans drink first.", "August can bring the heat."),
    ),
    Product(
        "travel mug",
        (
            "leakproof in any bag", "safe in the dishwasher", "warm for six hours", "free of BPA",
            "easy to open with one hand", "fitted to bicycle cages",
        ),
        ("shift workers", "lecturers", "field geologists", "train drivers", "school teachers"),
        ("Cold coffee is a choice.", "The last sip stays hot.", "Tea travels well now."),
    ),
    Product(
        "sleeping bag",
        (
            "warm below freezing", "filled with recycled down", "quick to dry", "wide at the feet",
            "quiet to turn in", "easy to wash",
        ),
        ("winter campers", "festival guests", "scout leaders", "night anglers", "touring cyclists"),
        ("Frost stays outside.", "Stars are best seen warm.", "The tent feels like home."),
    ),
    Product(
        "kitchen knife",
        (
            "forged by hand", "balanced at the bolster", "sharp for a year", "easy to hone",
            "safe for left-handed cooks", "fitted with an oak grip",
        ),
        ("line cooks", "sushi lovers", "first flats", "vegetable growers", "cookery students"),
        (
            "Onions never saw it coming.", "A clean cut saves the basil.",
            "Dinner starts with an edge.",
        ),
    ),
    Product(
        "record player",
        (
            "driven by a belt", "easy to level", "gentle on old vinyl", "cased in walnut",
            "ready without an amplifier", "free of hum",
        ),
        ("jazz lovers", "wedding DJs", "attic collectors", "patient listeners", "café owners"),
        ("Side two deserves better.", "Silence, then the needle.", "The crackle is half the song."),
    ),
    Product(
        "electric kettle",
        (
            "precise to one degree", "quiet at the boil", "free of plastic inside", "easy to pour",
            "made for hard water", "safe around toddlers",
        ),
        ("tea tasters", "open-plan offices", "young parents", "guest houses", "pour-over fans"),
        ("Green tea has feelings.", "Boiling is not one size.", "The kitchen got quieter."),
    ),
    Product(
        "yoga mat",
        (
            "made of natural cork", "steady on wet floors", "thick under the knees",
            "easy to roll up", "free of harsh smells", "wide enough for tall people",
        ),
        (
            "dance teachers", "stiff programmers", "prenatal classes", "retired gymnasts",
            "hotel guests",
        ),
        ("Downward dog, upward mood.", "Grip first, then grace.", "The floor can be kind."),
    ),
    Product(
        "bookshelf",
        (
            "assembled without screws", "cut from local ash", "strong enough for atlases",
            "easy to extend", "finished with beeswax", "narrow enough for hallways",
        ),
        (
            "comic collectors", "law students", "nursery schools", "record collectors",
            "crime readers",
        ),
        (
            "Stories should stand up straight.", "Piles are for laundry.",
            "Every spine finds its place.",
        ),
    ),
    Product(
        "pocket radio",
        (
            "powered by a crank", "clear on long wave", "splashproof", "easy to tune in gloves",
            "small enough for a shirt", "made to be repaired",
        ),
        (
            "lighthouse keepers", "cricket fans", "mountain guides", "cabin owners",
            "allotment clubs",
        ),
        (
            "The news needs no signal bars.", "Waves beat streams up here.",
            "Turn the dial, hear the world.",
        ),
    ),
    Product(
        "bicycle helmet",
        (
            "ventilated on all sides", "tested at five angles", "light as an apple",
            "visible at dusk", "easy to clip shut", "washable inside",
        ),
        (
            "school cyclists", "city councillors", "bike messengers", "gravel racers",
            "cautious beginners",
        ),
        ("Heads come without spares.", "Hair recovers, skulls do not.", "Safe can look sharp."),
    ),
    Product(
        "herb garden kit",
        (
            "ready to harvest in weeks", "free of peat", "happy on a windowsill",
            "watered from below", "easy to replant", "grown from heirloom seed",
        ),
        ("flat sharers", "biology classes", "busy cooks", "balcony owners", "soup kitchens"),
        (
            "Basil wants a better view.", "The salad lives by the sink.",
            "Green thumbs can be learned.",
        ),
    ),
    Product(
        "tool bag",
        (
            "sewn from waxed canvas", "open to the very bottom", "steady on stairs",
            "easy to shoulder", "lined with leather", "made for heavy spanners",
        ),
        ("joiners", "stage crews", "bike mechanics", "piano tuners", "boat builders"),
        (
            "The right wrench is on top.", "Good work starts organised.",
            "Every job has a short list.",
        ),
    ),
)  # fmt: skip

NAMES = (
    "Alvora", "Bexley", "Corvane", "Dunmore", "Elvika", "Fennick", "Galero", "Havnor", "Isolde",
    "Jorvik", "Kestrel", "Lumara", "Marlow", "Nerida", "Oskari", "Penrose", "Quillon", "Rosella",
    "Solveig", "Tamsin", "Undine", "Velden", "Wendell", "Ximena", "Yarrow", "Zephyr", "Arbour",
    "Bramley", "Caldera", "Delphin", "Emberly", "Falstaff", "Gannet", "Hollis", "Ingrid", "Juniper",
    "Kittering", "Larkin", "Mistral", "Nimbus", "Orlando", "Pascoe", "Quimby", "Redstart",
    "Saffron", "Thistle", "Ursula", "Verbena", "Whitlow", "Yardley", "Aldous", "Bellamy", "Cobalt",
    "Dorado", "Everett", "Finch", "Goldie", "Hazel", "Ivory", "Jasper",
)  # fmt: skip
RIVALS = (
    "Anstrom", "Brivado", "Colvex", "Dorrit", "Extora", "Fablon", "Grendal", "Hespero", "Ingmar",
    "Jentec", "Kolmar", "Lintera", "Modrano", "Norvell", "Ostrava", "Pelmar", "Rintoul", "Sandvik",
    "Tolvane", "Vintera",
)  # fmt: skip
ORDINARY = ("average", "usual", "typical", "standard", "ordinary", "classic", "familiar")
CITIES = (
    "Oslo", "Lisbon", "Turin", "Ghent", "Porto", "Dakar", "Quito", "Perth", "Leeds", "Tampere",
    "Kyoto", "Bergen", "Cork", "Malmö", "Graz", "Lyon", "Seville", "Tartu", "Accra", "Galway",
    "Bristol", "Bremen", "Ottawa", "Nantes",
)  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
CODE_WORDS = (
    "HELLO", "FIRST", "EARLY", "FRESH", "SUNNY", "MAPLE", "COZY", "TREAT", "START", "LOCAL",
    "GREEN", "AMBER", "TULIP", "CLOUD", "RIVER", "SPARK", "OTTER", "PLUM", "DELTA", "CORAL",
)  # fmt: skip
COLOURS = (
    "forest green", "brick red", "slate grey", "cobalt blue", "mustard yellow", "off-white",
    "plum purple", "copper brown", "sea green", "rose pink", "midnight blue", "sand beige",
    "olive green", "rust orange", "pearl grey", "cherry red", "ice blue", "moss green", "ink black",
    "lemon yellow",
)  # fmt: skip
CALLS = (
    "Order one today.", "Try it this weekend.", "Reserve one now.", "Visit the nearest shop.",
    "See it in person.", "Add one to the basket.", "Join the waiting list.", "Come in and try it.",
    "Get one before they go.", "Swap the old one for it.", "Sign up for early access.",
    "Make the switch today.", "Put it to the test.", "Plan a visit this month.",
    "Bring a friend along.", "Start this very week.", "Ask for it by name.", "Take a closer look.",
    "Book a demonstration.", "Read the full story online.", "Call the shop on the corner.",
    "Pass the word along.",
)  # fmt: skip
BANNED = (
    "ultimate", "revolutionary", "amazing", "award-winning", "premium", "groundbreaking",
    "unbeatable", "incredible", "iconic", "legendary", "flawless", "magical", "perfect", "unique",
    "innovative", "stunning", "exclusive", "irresistible", "sensational", "unrivalled",
    "phenomenal", "world-class", "cutting-edge", "game-changing",
)  # fmt: skip
PLAIN = (
    "new", "dependable", "practical", "thoughtful", "everyday", "well-made", "unfussy",
    "carefully made", "long-lasting", "no-nonsense", "straightforward", "quietly clever",
    "down-to-earth", "good-looking",
)  # fmt: skip
PROMISES = (
    "free shipping", "a lifetime warranty", "free returns", "next-day delivery",
    "a money-back guarantee", "a second one free", "price matching", "free installation",
    "a free trial month", "same-day repairs", "a gift card", "free spare parts", "free engraving",
    "a cash rebate", "a private lesson", "lifelong service",
)  # fmt: skip
MODEST = (
    "a printed guide", "a pretty postcard", "a plain cloth bag", "a care booklet",
    "a handwritten note", "a paper manual", "a small sticker sheet", "simple packaging",
    "a page of tips", "a cotton pouch",
)  # fmt: skip
TAGS = (
    "#SlowMornings", "#SmallWins", "#MadeToLast", "#OutAgain", "#BetterBasics", "#GoodHabits",
    "#LessButBetter", "#WeekdayHero", "#KeepItLocal", "#FirstTry", "#QuietPower", "#ThingsThatWork",
    "#RainOrShine", "#EasyDoesIt", "#BackToHands", "#OneForAll", "#FixItFirst", "#LongWayHome",
    "#DailyJoy", "#WorthKeeping",
)  # fmt: skip
PEOPLE = (
    "a good friend", "the neighbours", "the whole family", "a colleague", "the team",
    "somebody dear",
)  # fmt: skip
VOICE = (
    "daily routine", "Monday mornings", "weekend plans", "evenings at home", "next project",
    "holiday plans", "morning rush", "monthly budget", "free afternoons", "busy weeks",
    "home office", "spare hours", "lunch break", "travel plans", "quiet Sundays",
    "favourite corner", "long commute", "winter evenings", "summer break", "days off",
)  # fmt: skip
CRIES = (
    "At last", "Good news", "Finally here", "Now in store", "New this season", "Look no further",
    "Here it is", "Worth the wait", "Stop scrolling", "Hello again", "Just landed",
    "Long time coming", "Back by request", "Straight from the workshop", "Doors are open",
    "Ready when it counts", "No more excuses", "The wait is over", "Made for real life",
    "Small change, big difference", "Fresh off the bench", "So much for winter",
)  # fmt: skip
FILLERS = (
    "Nothing about it is complicated.", "Months of testing went into the details.",
    "A small team builds each one with care.", "People notice the difference on day one.",
    "No gimmicks, only good work.", "Simple to start, simple to keep.",
    "Friends tend to borrow it and keep it.", "Ask anyone who has tried it.",
    "The first impression holds up.", "Good design hardly needs a manual.",
    "Every part has a purpose.", "Old problems get a calm answer.",
    "What looks easy took years to get right.", "Life is complicated enough already.",
    "Some things should simply work.", "After a week, nobody remembers life before it.",
    "Plain choices often age well.", "Nobody has to read the small print.",
    "Once it is there, it stays.", "It is the kind of thing that gets passed on.",
    "Less fuss, more of what counts.", "The idea is old, the answer is not.",
    "Habits change faster than expected.", "That is all there is to it.",
)  # fmt: skip
