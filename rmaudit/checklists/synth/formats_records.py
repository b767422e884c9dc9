"""Records of the JSON half of the family `formats`: their fields, and the values that these take.

Each field has two names, either of which a request may demand; the other one is the slip.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Sort = Literal["person", "place", "choice", "count", "code", "date", "flag", "array"]


class Field(NamedTuple):
    """`label` is how prose calls it. `pool` for choices and arrays, `low` to `high` for counts."""

    sort: Sort
    names: tuple[str, str]
    label: str
    pool: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


class Record(NamedTuple):
    """`title` as in "a restaurant booking"; `prefix` as in "Booking 4711"."""

    title: str
    prefix: str
    fields: tuple[Field, ...]


RECORDS = (
    Record("restaurant booking", "Booking", (
        Field("person", ("guest_name", "booked_by"), "guest"),
        Field("place", ("branch", "restaurant_city"), "city of the restaurant"),
        Field("choice", ("menu", "menu_choice"), "menu", (
            "vegetarian", "seafood", "tasting", "seasonal", "children", "gluten-free",
        )),
        Field("count", ("party_size", "seats"), "number of guests", low=12, high=48),
        Field("code", ("table", "table_code"), "table code"),
        Field("date", ("dinner_date", "day"), "day"),
        Field("flag", ("window_seat", "by_window"), "window seat"),
        Field("array", ("courses", "dishes"), "courses", (
            "soup", "salad", "risotto", "sorbet", "cheese plate", "oysters", "tart", "gnocchi",
            "terrine",
        )),
    )),
    Record("equipment loan", "Loan", (
        Field("person", ("borrower", "lent_to"), "borrower"),
        Field("place", ("depot", "depot_city"), "city of the depot"),
        Field("choice", ("device", "device_type"), "device", (
            "projector", "microscope", "theodolite", "loudspeaker", "oscilloscope", "dehumidifier",
        )),
        Field("count", ("deposit", "deposit_euros"), "deposit in euros", low=20, high=95),
        Field("code", ("serial", "serial_number"), "serial number"),
        Field("date", ("due", "return_date"), "day of return"),
        Field("flag", ("insured", "has_insurance"), "insurance"),
        Field("array", ("parts", "accessories"), "accessories", (
            "cable", "case", "charger", "lens cap", "remote", "strap", "manual", "adapter", "stand",
        )),
    )),
    Record("parcel label", "Parcel", (
        Field("person", ("recipient", "addressee"), "recipient"),
        Field("place", ("city", "destination"), "destination"),
        Field("choice", ("service", "service_level"), "service", (
            "express", "economy", "overnight", "registered", "courier", "freight",
        )),
        Field("count", ("weight", "weight_kg"), "weight in kilograms", low=10, high=60),
        Field("code", ("postcode", "zip"), "postcode"),
        Field("date", ("shipped", "shipping_date"), "day of shipping"),
        Field("flag", ("fragile", "is_fragile"), "fragile mark"),
        Field("array", ("contents", "items"), "contents", (
            "books", "mugs", "cables", "seeds", "posters", "candles", "yarn", "tea", "puzzles",
        )),
    )),
    Record("clinic appointment", "Appointment", (
        Field("person", ("patient", "patient_name"), "patient"),
        Field("place", ("clinic", "clinic_city"), "city of the clinic"),
        Field("choice", ("ward", "department"), "department", (
            "cardiology", "dermatology", "radiology", "neurology", "orthopaedics", "urology",
        )),
        Field("count", ("minutes", "duration_min"), "length in minutes", low=15, high=90),
        Field("code", ("file_number", "chart"), "chart number"),
        Field("date", ("visit", "visit_date"), "day of the visit"),
        Field("flag", ("first_visit", "is_new"), "first visit"),
        Field("array", ("tests", "lab_tests"), "tests", (
            "glucose", "iron", "lipids", "calcium", "sodium", "creatinine", "ferritin", "folate",
            "zinc",
        )),
    )),
    Record("job posting", "Posting", (
        Field("person", ("contact", "contact_person"), "contact person"),
        Field("place", ("office", "location"), "place of work"),
        Field("choice", ("role", "job_title"), "role", (
            "archivist", "welder", "translator", "baker", "surveyor", "librarian",
        )),
        Field("count", ("hours", "weekly_hours"), "hours a week", low=15, high=40),
        Field("code", ("reference", "ref_code"), "reference code"),
        Field("date", ("deadline", "apply_by"), "closing day"),
        Field("flag", ("remote", "remote_ok"), "remote work"),
        Field("array", ("skills", "required_skills"), "skills", (
            "writing", "driving", "budgeting", "welding", "coaching", "drafting", "cooking",
            "teaching", "sales",
        )),
    )),
    Record("flight ticket", "Ticket", (
        Field("person", ("passenger", "traveller"), "passenger"),
        Field("place", ("arrival", "arrival_city"), "destination"),
        Field("choice", ("meal", "meal_type"), "meal", (
            "vegan", "kosher", "halal", "low-salt", "dairy-free", "regular",
        )),
        Field("count", ("bags_kg", "luggage_weight"), "luggage in kilograms", low=10, high=46),
        Field("code", ("booking_code", "locator"), "booking code"),
        Field("date", ("departure", "departs_on"), "day of departure"),
        Field("flag", ("aisle", "aisle_seat"), "aisle seat"),
        Field("array", ("stops", "stopovers"), "stopovers", (
            "Vienna", "Doha", "Zurich", "Athens", "Madrid", "Riga", "Tunis", "Sofia", "Malta",
        )),
    )),
    Record("library card", "Card", (
        Field("person", ("reader", "holder"), "reader"),
        Field("place", ("library", "library_city"), "city of the library"),
        Field("choice", ("tariff", "fee_group"), "fee group", (
            "student", "senior", "family", "teacher", "visitor", "resident",
        )),
        Field("count", ("loan_limit", "max_loans"), "number of loans allowed", low=10, high=60),
        Field("code", ("card", "card_number"), "card number"),
        Field("date", ("valid_until", "expires"), "last day of validity"),
        Field("flag", ("newsletter", "wants_news"), "newsletter"),
        Field("array", ("interests", "subjects"), "interests", (
            "history", "chess", "botany", "poetry", "maps", "opera", "physics", "comics", "travel",
        )),
    )),
    Record("sensor reading", "Reading", (
        Field("person", ("operator", "read_by"), "operator"),
        Field("place", ("site", "station_city"), "site"),
        Field("choice", ("quantity", "measured"), "quantity", (
            "humidity", "pressure", "turbidity", "salinity", "radiation", "vibration",
        )),
        Field("count", ("value", "reading"), "value read", low=11, high=99),
        Field("code", ("device_id", "sensor"), "sensor number"),
        Field("date", ("taken", "taken_on"), "day of the reading"),
        Field("flag", ("calibrated", "was_calibrated"), "calibration"),
        Field("array", ("alarms", "warnings"), "warnings", (
            "drift", "spike", "gap", "noise", "low battery", "frost", "clipping", "offset", "delay",
        )),
    )),
    Record("recipe card", "Recipe", (
        Field("person", ("author", "cook"), "author"),
        Field("place", ("origin_city", "from_city"), "city of origin"),
        Field("choice", ("dish", "dish_name"), "dish", (
            "goulash", "risotto", "paella", "lasagne", "moussaka", "ratatouille",
        )),
        Field("count", ("oven_minutes", "bake_time"), "baking time in minutes", low=12, high=90),
        Field("code", ("page", "index_code"), "index code"),
        Field("date", ("cooked_on", "tested"), "day of the test"),
        Field("flag", ("freezable", "can_freeze"), "freezing"),
        Field("array", ("spices", "seasoning"), "spices", (
            "cumin", "thyme", "sage", "mace", "saffron", "clove", "dill", "anise", "nutmeg",
        )),
    )),
    Record("repair order", "Order", (
        Field("person", ("customer", "client_name"), "customer"),
        Field("place", ("garage", "workshop_city"), "city of the workshop"),
        Field("choice", ("vehicle", "vehicle_type"), "vehicle", (
            "van", "tractor", "scooter", "trailer", "forklift", "minibus",
        )),
        Field("count", ("labour_hours", "work_hours"), "hours of work", low=10, high=39),
        Field("code", ("plate", "plate_digits"), "plate digits"),
        Field("date", ("pickup", "ready_on"), "day of pickup"),
        Field("flag", ("warranty", "under_warranty"), "warranty"),
        Field("array", ("faults", "defects"), "defects", (
            "rust", "leak", "rattle", "crack", "short circuit", "flat tyre", "wobble", "smoke",
            "stall",
        )),
    )),
    Record("course enrolment", "Enrolment", (
        Field("person", ("student", "participant"), "participant"),
        Field("place", ("campus", "campus_city"), "campus"),
        Field("choice", ("course", "course_name"), "course", (
            "statistics", "pottery", "accounting", "phonetics", "genetics", "carpentry",
        )),
        Field("count", ("credits", "credit_points"), "credit points", low=10, high=45),
        Field("code", ("matric", "student_id"), "student number"),
        Field("date", ("starts", "first_day"), "first day"),
        Field("flag", ("paid", "fee_paid"), "fee payment"),
        Field("array", ("languages", "spoken"), "languages", (
            "Dutch", "Urdu", "Welsh", "Polish", "Tamil", "Greek", "Swahili", "Danish", "Basque",
        )),
    )),
    Record("hotel invoice", "Invoice", (
        Field("person", ("billed_to", "payer"), "payer"),
        Field("place", ("hotel", "hotel_city"), "city of the hotel"),
        Field("choice", ("room_type", "category"), "room type", (
            "single", "double", "suite", "studio", "penthouse", "dormitory",
        )),
        Field("count", ("nights", "stay_nights"), "number of nights", low=10, high=30),
        Field("code", ("room", "room_number"), "room number"),
        Field("date", ("checkout", "left_on"), "day of departure"),
        Field("flag", ("breakfast", "with_breakfast"), "breakfast"),
        Field("array", ("services", "billed_services"), "services", (
            "laundry", "sauna", "parking", "minibar", "shuttle", "spa", "safe", "crib", "bicycle",
        )),
    )),
)  # fmt: skip

# A key that a response adds of its own: any of these but the one that the request rules out.
EXTRAS = (
    ("source", "telephone"),
    ("language", "English"),
    ("priority", "normal"),
    ("created_by", "front desk"),
    ("channel", "email"),
    ("status", "open"),
    ("version", "first"),
    ("region", "north"),
    ("checked", "not yet"),
    ("internal_id", "none yet"),
    ("remarks", "none"),
    ("intake", "web form"),
    ("season", "spring"),
    ("archive", "no"),
    ("shift", "early"),
    ("follow_up", "by phone"),
    ("rating", "not given"),
    ("owner", "team blue"),
    ("label", "standard"),
    ("audit", "pending"),
)  # fmt: skip
