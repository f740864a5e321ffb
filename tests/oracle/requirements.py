#!/usr/bin/env python3
"""Privacy requirements straight from their definitions, slowly, in exact arithmetic.

    requirements.py                 print one line per case: a table's counts, a class's counts, a
                                    requirement, the figure it reaches and whether it holds
    requirements.py --check FILE    compare with what is stored; ends with 1 when it differs

The stored lines are what tests/unit/test_requirement_oracle.c holds the library against. Shares are
fractions; logarithms have 50 digits; the earth mover's distance is found by moving earth (minimum-
cost flow), not by the closed forms that the library uses.
"""

import itertools
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import lcm

getcontext().prec = 50
EQUAL = Decimal(10) ** -40  # closer than this, two irrational figures are the same
INFINITY = Decimal("Infinity")


def ln(x):
    """Natural logarithm of a fraction."""
    return (Decimal(x.numerator) / Decimal(x.denominator)).ln()


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator) if isinstance(x, Fraction) else Decimal(x)


def at_most(figure, bound):
    if isinstance(figure, Fraction):
        return figure <= bound
    return figure <= decimal(bound) + EQUAL


def at_least(figure, bound):
    if isinstance(figure, Fraction):
        return figure >= bound
    return figure >= decimal(bound) - EQUAL


# --- The earth mover's distance, by moving earth. ---------------------------------------------


def move_earth(supply, demand, cost):
    """Least total cost of moving whole units from supply to demand (successive shortest paths)."""
    m = len(supply)
    source, sink, count = 2 * m, 2 * m + 1, 2 * m + 2
    room = [[0] * count for _ in range(count)]
    price = [[0] * count for _ in range(count)]
    for i in range(m):
        room[source][i] = supply[i]
        room[m + i][sink] = demand[i]
        for j in range(m):
            room[i][m + j] = min(supply[i], demand[j])
            price[i][m + j], price[m + j][i] = cost[i][j], -cost[i][j]
    total = 0
    while True:
        best, before = [None] * count, [None] * count
        best[source] = 0
        for _ in range(count):  # Bellman and Ford
            for u, v in itertools.product(range(count), repeat=2):
                if best[u] is not None and room[u][v] > 0:
                    if best[v] is None or best[u] + price[u][v] < best[v]:
                        best[v], before[v] = best[u] + price[u][v], u
        if best[sink] is None:
            return total
        way, v = [], sink
        while v != source:
            way.append((before[v], v))
            v = before[v]
        amount = min(room[u][v] for u, v in way)
        for u, v in way:
            room[u][v] -= amount
            room[v][u] += amount
        total += amount * best[sink]


def earth_mover(totals, counts, distance):
    """distance[i][j] is a Fraction."""
    n, size = sum(totals), sum(counts)
    scale = lcm(*(d.denominator for row in distance for d in row))
    cost = [[int(d * scale) for d in row] for row in distance]
    supply = [c * n for c in counts]
    demand = [t * size for t in totals]
    return Fraction(move_earth(supply, demand, cost), scale * n * size)


def tree_distance(parents, m):
    """Height of the closest common ancestor over that of the root; the values are the last m nodes."""
    nodes = len(parents)
    leaves = range(nodes - m, nodes)

    def path(node):
        way = [node]
        while parents[way[-1]] != way[-1]:
            way.append(parents[way[-1]])
        return way

    height = [0] * nodes
    for leaf in leaves:
        for steps, node in enumerate(path(leaf)):
            height[node] = max(height[node], steps)
    top = max(height)

    def common(a, b):
        above = set(path(a))
        return next(node for node in path(b) if node in above)

    return [[Fraction(height[common(a, b)], top) if top else Fraction(0) for b in leaves]
            for a in leaves]


# --- The requirements: each returns (figure, holds). --------------------------------------------


def shares(counts):
    return [Fraction(c, sum(counts)) for c in counts]


def k(case):
    figure = Fraction(sum(case["class"]))
    return figure, figure >= case["value"]


def alpha_general(case):
    figure = max(shares(case["class"]))
    return figure, figure <= case["value"]


def alpha_values(case):
    p = shares(case["class"])
    figure = sum((p[code] for code in case["codes"]), Fraction(0))
    return figure, figure <= case["value"]


def alpha_limits(case):
    p = shares(case["class"])
    parts = [p[code] / limit for code, limit in zip(case["codes"], case["limits"])]
    return max(parts), max(parts) <= 1


def l_frequency(case):
    figure = 1 / max(shares(case["class"]))
    return figure, max(shares(case["class"])) <= 1 / case["value"]


def l_distinct(case):
    figure = Fraction(sum(c > 0 for c in case["class"]))
    return figure, figure >= case["value"]


def l_entropy(case):
    entropy = sum((-decimal(p) * ln(p) for p in shares(case["class"]) if p > 0), Decimal(0))
    return entropy.exp(), at_least(entropy, ln(case["value"]))


def l_recursive(case):
    r = sorted(case["class"], reverse=True)
    rest = sum(r[int(case["value"]) - 1:])
    return Fraction(r[0], rest) if rest else INFINITY, r[0] < case["c"] * rest


def t_js(case):
    figure = Decimal(0)
    for q, p in zip(shares(case["totals"]), shares(case["class"])):
        middle = (q + p) / 2
        for x in (q, p):
            figure += decimal(x) * ln(x / middle) / 2 if x > 0 else 0
    return figure, at_most(figure, case["value"])


def t_by(distance):
    def check(case):
        figure = earth_mover(case["totals"], case["class"], distance(case))
        return figure, figure <= case["value"]
    return check


def equal_distance(case):
    m = len(case["totals"])
    return [[Fraction(i != j) for j in range(m)] for i in range(m)]


def ordered_distance(case):
    m = len(case["totals"])
    return [[Fraction(abs(i - j), m - 1) if m > 1 else Fraction(0) for j in range(m)]
            for i in range(m)]


def delta(case):
    figure = Decimal(0)
    for q, p in zip(shares(case["totals"]), shares(case["class"])):
        figure = max(figure, abs(ln(p / q)) if p > 0 else INFINITY)
    return figure, at_most(figure, case["value"])


def gains(case):
    return [(q, (p - q) / q) for q, p in zip(shares(case["totals"]), shares(case["class"])) if p > q]


def beta_basic(case):
    figure = max([gain for _, gain in gains(case)], default=Fraction(0))
    return figure, figure <= case["value"]


def beta_enhanced(case):
    # The figure: a gain whose limit -ln q is below beta is scaled up by beta / -ln q.
    figure = Decimal(0)
    holds = True
    for q, gain in gains(case):
        beta, limit = decimal(case["value"]), -ln(q)
        holds = holds and at_most(decimal(gain), min(beta, limit))
        figure = max(figure, decimal(gain) * max(1, beta / limit))
    return figure, holds


def k_map(case):
    return Fraction(case["population"]), case["population"] >= case["value"]


def presence(case):
    figure = Fraction(sum(case["class"]), case["population"])
    return figure, case.get("least", 0) <= figure <= case["value"]


CHECKS = {
    "k": k,
    "alpha/general": alpha_general,
    "alpha/values": alpha_values,
    "alpha/limits": alpha_limits,
    "l/frequency": l_frequency,
    "l/distinct": l_distinct,
    "l/entropy": l_entropy,
    "l/recursive": l_recursive,
    "t/js": t_js,
    "t/equal": t_by(equal_distance),
    "t/ordered": t_by(ordered_distance),
    "t/hierarchical": t_by(lambda case: tree_distance(case["tree"], len(case["totals"]))),
    "delta": delta,
    "beta/basic": beta_basic,
    "beta/enhanced": beta_enhanced,
    "k_map": k_map,
    "presence/most": presence,
    "presence/between": presence,
}

# --- The cases. ---------------------------------------------------------------------------------

# Counts in the table and in the class.
PAIRS = [
    ([3, 3, 4], [3, 3, 4]),                 # the whole table
    ([3, 3, 4], [1, 0, 2]),
    ([3, 3, 4], [1, 1, 1]),                 # thirds
    ([3, 7], [3, 7]),                       # exactly three tenths
    ([5], [2]),                             # only one value
    ([1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0, 0, 0]),  # salaries 3k 4k 5k of 3k..11k
    ([1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 0, 0, 1]),  # 6k 8k 11k: example of the paper
    ([20, 10, 6, 3, 1], [4, 1, 1, 1, 1]),   # entropy of exactly ln 4
    ([20, 10, 6, 3, 1], [0, 0, 0, 0, 1]),   # the rarest value alone
    ([20, 10, 6, 3, 1], [10, 5, 3, 2, 0]),
    ([40, 30, 20, 10], [2, 2, 1, 0]),
    ([40, 30, 20, 10], [4, 3, 2, 1]),       # in proportion
    ([100, 1], [1, 1]),
]

# Parents of the nodes, the root first; the values are the last nodes. By number of values.
TREES = {
    1: [[0, 0]],
    2: [[0, 0, 0], [0, 0, 1, 0]],
    3: [[0, 0, 0, 0], [0, 0, 1, 1, 0]],
    4: [[0, 0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 1, 0]],
    5: [[0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 0, 2, 3, 2, 1, 0]],
    9: [[0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]],
}


def parameters(kind, totals):
    """The further parameters to try: dictionaries of texts."""
    m = len(totals)
    values = {
        "k": ["2", "3", "10"],
        "alpha/general": ["0.3", "0.4", "0.5", "0.7", "1"],
        "alpha/values": ["0.3", "0.5"],
        "l/frequency": ["1", "1.5", "2", "2.5", "3"],
        "l/distinct": ["1", "3", "4"],
        "l/entropy": ["1", "2", "3", "4"],
        "l/recursive": ["1", "2", "3"],
        "t/js": ["0", "0.01", "0.3"],
        "t/equal": ["0", "0.2", "0.3", "0.5"],
        "t/ordered": ["0", "0.1", "0.375"],
        "t/hierarchical": ["0", "0.25", "0.4"],
        "delta": ["0", "0.5", "2"],
        "beta/basic": ["0", "0.6", "1", "4"],
        "beta/enhanced": ["0", "0.5", "4"],
        "k_map": ["5", "20", "21"],
        "presence/most": ["0.1", "0.5"],
        "presence/between": ["0.5"],
    }
    if kind == "alpha/limits":
        yield {"codes": "0", "limits": "0.3"}
        yield {"codes": ",".join(map(str, range(m))), "limits": ",".join(["0.5"] * m)}
        return
    for value in values[kind]:
        if kind == "alpha/values":
            yield {"value": value, "codes": "0"}
            yield {"value": value, "codes": ",".join(map(str, range(0, m, 2)))}
        elif kind == "l/recursive":
            for c in ("0.5", "2", "3"):
                yield {"value": value, "c": c}
        elif kind == "t/hierarchical":
            for tree in TREES[m]:
                yield {"value": value, "tree": ",".join(map(str, tree))}
        elif kind in ("k_map", "presence/most"):
            yield {"value": value, "population": "20"}
        elif kind == "presence/between":
            yield {"value": value, "least": "0.1", "population": "20"}
            yield {"value": value, "least": "0.25", "population": "20"}
        else:
            yield {"value": value}


def read(key, text):
    if key in ("codes", "tree"):
        return [int(x) for x in text.split(",")]
    if key == "limits":
        return [Fraction(x) for x in text.split(",")]
    return int(text) if key == "population" else Fraction(text)


def lines():
    for kind in CHECKS:
        for totals, counts in PAIRS:
            if kind.startswith("presence") and sum(counts) > 20:
                continue
            for texts in parameters(kind, totals):
                case = {key: read(key, text) for key, text in texts.items()}
                case.update({"totals": totals, "class": counts})
                figure, holds = CHECKS[kind](case)
                words = [f"kind={kind}", "totals=" + ",".join(map(str, totals)),
                         "class=" + ",".join(map(str, counts))]
                words += [f"{key}={text}" for key, text in texts.items()]
                number = decimal(figure)
                number = number.quantize(Decimal("1e-15")) if number.is_finite() else "inf"
                words += [f"figure={number}", f"holds={'yes' if holds else 'no'}"]
                yield " ".join(words)


def main():
    text = "".join(line + "\n" for line in lines())
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], encoding="utf-8") as file:
            stored = file.read()
        if stored != text:
            for old, new in itertools.zip_longest(stored.splitlines(), text.splitlines()):
                if old != new:
                    print(f"stored:   {old}\ncomputed: {new}")
                    break
            return 1
        print(f"{text.count(chr(10))} cases agree")
        return 0
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
