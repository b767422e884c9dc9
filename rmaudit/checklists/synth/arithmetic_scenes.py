"""The stories of the word problems: who plans what, and how each puzzle reads in that setting.

A scene gives the puzzles their things to count; a question states all of its numbers, so that the
parts of one problem do not depend on each other.
"""

from __future__ import annotations

from rmaudit.checklists.synth.arithmetic_measures import (
    AVERAGE,
    FENCE,
    PACK,
    PAINT,
    SCALE,
    TANK,
    TRIP,
)
from rmaudit.checklists.synth.arithmetic_money import (
    DISCOUNT,
    FUEL,
    INTEREST,
    PROFIT,
    SAVINGS,
    SHARE,
    WAGES,
)
from rmaudit.checklists.synth.arithmetic_plans import PlanPart, Scene

BAKERY = Scene(
    "{name} runs a small bakery and is planning a busy weekend.",
    "the flour arrives at {time}",
    (
        PlanPart(
            SCALE,
            "A dough for {m} rolls needs {g} of flour. How many grams of flour are needed for a "
            "dough for {k} rolls?",
            "the flour for {k} rolls",
            "{g} of flour for {m} rolls, {k} rolls wanted",
        ),
        PlanPart(
            DISCOUNT,
            "{n} baking trays cost {p} each, and the supplier takes {d} off the total. What do the "
            "trays cost after the discount?",
            "the price of the trays after the discount",
            "{n} trays at {p} each, {d} off",
        ),
        PlanPart(
            WAGES,
            "A helper works {h} at {w} per hour and another {o} of overtime, which pays 1.5 times "
            "the normal rate. How much does the helper earn in total?",
            "the helper's total pay",
            "{h} at {w} per hour, {o} of overtime at 1.5 times the rate",
        ),
        PlanPart(
            PACK,
            "{n} customers have ordered {k} rolls each, and {r} spare rolls are baked on top. One "
            "bag holds {c} rolls. How many bags are needed for all the rolls?",
            "the number of bags",
            "{n} customers with {k} rolls each, {r} spare rolls, {c} rolls per bag",
            {"packs": "bags"},
            ("rolls", "customers"),
        ),
        PlanPart(
            PROFIT,
            "{n} cakes are sold at {p} each. The ingredients cost {c} per cake, and the market "
            "stall charges a fee of {f}. What profit remains after the fee?",
            "the profit on the cakes after the fee",
            "{n} cakes at {p}, ingredients at {c} per cake, a fee of {f}",
        ),
        PlanPart(
            AVERAGE,
            "The shop counted {a}, {b}, {c} and {d} customers on the last four Saturdays. What is "
            "the average?",
            "the average number of customers",
            "{a}, {b}, {c} and {d} customers",
            {"each": "customers"},
            ("rolls", "customers per hour"),
        ),
    ),
)

FLAT = Scene(
    "{name} is renovating a flat and has to work out a few quantities and prices.",
    "the paint shop closes at {time}",
    (
        PlanPart(
            PAINT,
            "A wall is {l} long and {h} high and has a window of {window}, which is not painted. "
            "It gets {coats} coats, and one litre of paint covers {k}. How many litres of paint "
            "are needed?",
            "the paint for the wall",
            "a wall of {l} by {h}, a window of {window}, {coats} coats, {k} per litre",
        ),
        PlanPart(
            DISCOUNT,
            "{n} packs of floor boards cost {p} each, and a voucher takes {d} off the total. What "
            "is the price with the voucher?",
            "the price of the floor boards with the voucher",
            "{n} packs at {p} each, {d} off",
        ),
        PlanPart(
            WAGES,
            "An electrician works {h} at {w} per hour and then {o} of overtime, charged at 1.5 "
            "times that rate. How much is the bill for the work?",
            "the electrician's bill",
            "{h} at {w} per hour, {o} of overtime at 1.5 times the rate",
        ),
        PlanPart(
            PACK,
            "{n} shelves need {k} screws each, and {r} spare screws should be there as well. The "
            "screws come in boxes of {c}. How many boxes have to be bought?",
            "the number of boxes of screws",
            "{n} shelves with {k} screws each, {r} spare screws, {c} screws per box",
            {"packs": "boxes"},
            ("screws", "shelves"),
        ),
        PlanPart(
            SAVINGS,
            "The new kitchen costs {target}, of which {start} is already set aside. {weekly} can "
            "be saved every week. After how many weeks is the kitchen paid for?",
            "the time until the kitchen is paid for",
            "a target of {target}, {start} set aside, {weekly} per week",
        ),
        PlanPart(
            SCALE,
            "For {m} tiles, {g} of grout are used. How many grams of grout are needed for {k} "
            "tiles?",
            "the grout for {k} tiles",
            "{g} of grout for {m} tiles, {k} tiles to lay",
        ),
    ),
)

TOUR = Scene(
    "{name} is preparing a road trip with a group of friends.",
    "the ferry leaves at {time}",
    (
        PlanPart(
            TRIP,
            "The first leg is {distance} long and is driven at an average of {speed}, with one "
            "break of {stop}. How many minutes does the leg take, including the break?",
            "the duration of the first leg",
            "{distance} at {speed}, a break of {stop}",
        ),
        PlanPart(
            FUEL,
            "The coast is {distance} away, and the van uses {use} of fuel per 100 km. A litre "
            "costs {price}. What does the fuel for the way there and back cost?",
            "the cost of the fuel",
            "{distance} each way, {use} per 100 km, {price} per litre",
        ),
        PlanPart(
            SHARE,
            "Two families split the rent of a cottage, {total}, in the ratio {a} : {b}. How much "
            "does the first family pay?",
            "the first family's share of the rent",
            "a rent of {total}, split {a} : {b}",
        ),
        PlanPart(
            DISCOUNT,
            "{n} museum tickets cost {p} each, and groups get {d} off the total. What does the "
            "group pay?",
            "the price of the tickets for the group",
            "{n} tickets at {p} each, {d} off",
        ),
        PlanPart(
            SAVINGS,
            "The trip costs {target} per person. {start} is already in the kitty, and {weekly} is "
            "added each week. How many weeks does it take to reach the target?",
            "the time until the trip is paid for",
            "a target of {target}, {start} in the kitty, {weekly} per week",
        ),
        PlanPart(
            AVERAGE,
            "On four days the group plans to cover {a}, {b}, {c} and {d} km. What is the average "
            "per day in kilometres?",
            "the average distance per day",
            "{a}, {b}, {c} and {d} km",
            {"each": "km"},
            ("miles", "m", "km/h"),
        ),
    ),
)

GARDEN = Scene(
    "{name} is laying out a community garden.",
    "the garden centre opens at {time}",
    (
        PlanPart(
            FENCE,
            "A rectangular plot is {l} long and {w} wide. It gets a fence all around, except for a "
            "gate of {gate}. How many metres of fence are needed?",
            "the length of the fence",
            "a plot of {l} by {w}, a gate of {gate}",
        ),
        PlanPart(
            TANK,
            "A rainwater tank of {volume} is filled at {flow} but loses {leak} through a leak. How "
            "many minutes does it take until the tank is full?",
            "the time to fill the tank",
            "{volume}, {flow} in, {leak} out",
        ),
        PlanPart(
            SCALE,
            "A feed for {m} tomato plants takes {g} of concentrate. How many millilitres are "
            "needed for {k} plants?",
            "the concentrate for {k} plants",
            "{g} of concentrate for {m} plants, {k} plants to feed",
            {"g": "ml"},
            ("litres", "g"),
        ),
        PlanPart(
            PACK,
            "{n} beds get {k} seedlings each, and {r} seedlings are kept in reserve. A tray holds "
            "{c} seedlings. How many trays have to be ordered?",
            "the number of trays of seedlings",
            "{n} beds with {k} seedlings each, {r} in reserve, {c} seedlings per tray",
            {"packs": "trays"},
            ("seedlings", "beds"),
        ),
        PlanPart(
            DISCOUNT,
            "{n} sacks of compost cost {p} each, and members get {d} off the total. What does the "
            "garden pay for the compost?",
            "the price of the compost",
            "{n} sacks at {p} each, {d} off",
        ),
        PlanPart(
            PAINT,
            "The wall of the shed is {l} long and {h} high, with a door of {window} that stays as "
            "it is. The wall gets {coats} coats of varnish, and one litre covers {k}. How many "
            "litres of varnish are needed?",
            "the varnish for the shed",
            "a wall of {l} by {h}, a door of {window}, {coats} coats, {k} per litre",
        ),
    ),
)

FAIR = Scene(
    "{name} is organising the summer fair of a school.",
    "the hall has to be cleared by {time}",
    (
        PlanPart(
            PROFIT,
            "{n} T-shirts are sold at {p} each. Printing costs {c} per shirt, and the printer "
            "charges a set-up fee of {f}. What profit is left after the fee?",
            "the profit on the T-shirts",
            "{n} shirts at {p}, printing at {c} per shirt, a fee of {f}",
        ),
        PlanPart(
            PACK,
            "{n} tables get {k} cups each, and {r} cups are kept as spares. Cups are sold in "
            "sleeves of {c}. How many sleeves are needed?",
            "the number of sleeves of cups",
            "{n} tables with {k} cups each, {r} spare cups, {c} cups per sleeve",
            {"packs": "sleeves"},
            ("cups", "tables"),
        ),
        PlanPart(
            AVERAGE,
            "The last four fairs had {a}, {b}, {c} and {d} visitors. What is the average number of "
            "visitors?",
            "the average number of visitors",
            "{a}, {b}, {c} and {d} visitors",
            {"each": "visitors"},
            ("tickets", "families"),
        ),
        PlanPart(
            SHARE,
            "The takings of {total} are split between the library and the sports club in the ratio "
            "{a} : {b}. How much does the library get?",
            "the library's share of the takings",
            "takings of {total}, split {a} : {b}",
        ),
        PlanPart(
            SCALE,
            "A lemonade for {m} guests takes {g} of sugar. How many grams of sugar are needed for "
            "{k} guests?",
            "the sugar for {k} guests",
            "{g} of sugar for {m} guests, {k} guests expected",
        ),
        PlanPart(
            FENCE,
            "The play area is a rectangle {l} long and {w} wide. It is roped off all around, apart "
            "from an entrance of {gate}. How many metres of rope are needed?",
            "the length of the rope",
            "an area of {l} by {w}, an entrance of {gate}",
        ),
    ),
)

CLUB = Scene(
    "{name} keeps the books of a swimming club.",
    "the board meets at {time}",
    (
        PlanPart(
            TANK,
            "The children's pool holds {volume}. Water flows in at {flow}, while {leak} drain off "
            "through an open valve. How many minutes does it take to fill the pool?",
            "the time to fill the pool",
            "{volume}, {flow} in, {leak} out",
        ),
        PlanPart(
            INTEREST,
            "A reserve of {deposit} earns simple interest of {rate} per year. What is the balance "
            "after {years} years?",
            "the balance of the reserve",
            "a reserve of {deposit}, {rate} per year, {years} years",
        ),
        PlanPart(
            WAGES,
            "A lifeguard works {h} at {w} per hour plus {o} of overtime at 1.5 times the hourly "
            "rate. What is the lifeguard's pay?",
            "the lifeguard's pay",
            "{h} at {w} per hour, {o} of overtime at 1.5 times the rate",
        ),
        PlanPart(
            TRIP,
            "The bus to the championship covers {distance} at an average of {speed} and stops once "
            "for {stop}. How many minutes does the journey last with the stop?",
            "the duration of the bus journey",
            "{distance} at {speed}, a stop of {stop}",
        ),
        PlanPart(
            SHARE,
            "A donation of {total} is divided between the youth team and the seniors in the ratio "
            "{a} : {b}. How much does the youth team receive?",
            "the youth team's share of the donation",
            "a donation of {total}, divided {a} : {b}",
        ),
        PlanPart(
            FUEL,
            "The training camp is {distance} away. The minibus uses {use} of fuel per 100 km, and "
            "a litre costs {price}. How much does the fuel for the trip there and back cost?",
            "the fuel for the training camp",
            "{distance} each way, {use} per 100 km, {price} per litre",
        ),
    ),
)

COURIER = Scene(
    "{name} has just started a courier service and is drawing up the first plan.",
    "the depot closes at {time}",
    (
        PlanPart(
            TRIP,
            "The morning tour is {distance} long and is driven at an average of {speed}; unloading "
            "takes {stop}. How many minutes does the tour take with unloading?",
            "the duration of the morning tour",
            "{distance} at {speed}, unloading for {stop}",
        ),
        PlanPart(
            FUEL,
            "The warehouse is {distance} away. The truck uses {use} of fuel per 100 km, and a "
            "litre costs {price}. What does the fuel for one trip there and back cost?",
            "the fuel for a trip to the warehouse",
            "{distance} each way, {use} per 100 km, {price} per litre",
        ),
        PlanPart(
            INTEREST,
            "A loan of {deposit} carries simple interest of {rate} per year. How much has to be "
            "paid back in total after {years} years?",
            "the amount to pay back",
            "a loan of {deposit}, {rate} per year, {years} years",
        ),
        PlanPart(
            PACK,
            "{n} shops receive {k} parcels each, and {r} parcels go to private addresses. A cage "
            "holds {c} parcels. How many cages are needed?",
            "the number of cages",
            "{n} shops with {k} parcels each, {r} private parcels, {c} parcels per cage",
            {"packs": "cages"},
            ("parcels", "shops"),
        ),
        PlanPart(
            WAGES,
            "A driver works {h} at {w} per hour and {o} of overtime, for which 1.5 times the rate "
            "is paid. How much does the driver earn?",
            "the driver's pay",
            "{h} at {w} per hour, {o} of overtime at 1.5 times the rate",
        ),
        PlanPart(
            AVERAGE,
            "On the first four days {a}, {b}, {c} and {d} parcels were delivered. What is the "
            "daily average?",
            "the average number of parcels per day",
            "{a}, {b}, {c} and {d} parcels",
            {"each": "parcels"},
            ("shops", "cages"),
        ),
    ),
)

SCENES = (BAKERY, FLAT, TOUR, GARDEN, FAIR, CLUB, COURIER)
