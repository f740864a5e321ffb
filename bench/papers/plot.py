"""Curves as SVG, written by hand: a light panel, axes with round steps, a legend above."""
import html
import math

WIDTH, HEIGHT = 640, 440
LEFT, RIGHT, TOP, BOTTOM = 92, 616, 96, 372
COLOURS = ("#b5352c", "#1f5fa8", "#2b7d3c", "#8a5a00", "#7a2f9e", "#006d77")
MARKS = ("circle", "square", "diamond", "triangle", "circle", "square")
DASHES = ("", "9 4", "3 4", "12 4 3 4", "2 3", "6 2")
PER_LINE = 4


def choose_steps(low, high):
    """About five round numbers from low to high."""
    raw = (high - low) / 5 or 1
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw * 0.999)
    first = math.floor(low / step)
    count = math.ceil(high / step - 1e-9) - first
    return [(first + i) * step for i in range(count + 1)]


def choose_decades(low, high):
    """Powers of ten around low and high, with 2 and 5 between when they span little."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if high / low < 200 else (1,)
    steps = [f * 10**e for e in range(first, last + 1) for f in factors]
    below = max((s for s in steps if s <= low), default=steps[0])
    above = min((s for s in steps if s >= high), default=steps[-1])
    return [s for s in steps if below <= s <= above]


def draw_mark(kind, x, y, colour):
    r = 6
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{colour}"/>'
    corners = {"square": ((-5, -5), (5, -5), (5, 5), (-5, 5)),
               "diamond": ((0, -7), (7, 0), (0, 7), (-7, 0)),
               "triangle": ((0, -7), (7, 5), (-7, 5))}[kind]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def write_text(x, y, text, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{html.escape(text)}</text>'


def draw_legend(names):
    """Names, each with its dash and mark, in lines of four."""
    parts = []
    columns = min(PER_LINE, len(names))
    for i, name in enumerate(names):
        x, y = 20 + i % columns * (WIDTH - 24) // columns, 58 + i // columns * 24
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 34}" y2="{y}" stroke="{COLOURS[i]}" '
                     f'stroke-width="3" stroke-dasharray="{DASHES[i]}"/>')
        parts.append(draw_mark(MARKS[i], x + 17, y, COLOURS[i]))
        parts.append(write_text(x + 40, y + 6, name, "start"))
    return parts


def name_number(number):
    """A number as short as it can be: 30k, 3M."""
    for size, letter in ((1_000_000, "M"), (30_000, "k")):
        if number >= size and number % 10_000 == 0:
            return f"{number / (1_000_000 if letter == 'M' else 1_000):.6g}{letter}"
    return f"{number:.6g}"


def draw_axes(x_steps, y_steps, place_x, place_y, x_label, y_label):
    parts = []
    for step in y_steps:
        y = place_y(step)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="#d8d8d4"/>')
        parts.append(write_text(LEFT - 8, y + 6, f"{step:.6g}", "end"))
    for step in x_steps:
        x = place_x(step)
        parts.append(f'<line x1="{x:.1f}" y1="{BOTTOM}" x2="{x:.1f}" y2="{BOTTOM + 6}" stroke="#333"/>')
        parts.append(write_text(x, BOTTOM + 24, name_number(step)))
    parts.append(f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="#333"/>')
    parts.append(write_text((LEFT + RIGHT) / 2, HEIGHT - 14, x_label))
    middle = (TOP + BOTTOM) / 2
    parts.append(write_text(24, middle, y_label, more=f' transform="rotate(-90 24 {middle:.1f})"'))
    return parts


def draw_curves(title, curves, x_label, y_label, logarithmic=False, logarithmic_x=False, even=False):
    """An SVG text. `curves` maps a name to its points (x, y); a logarithmic axis needs numbers > 0. The
    x stand on a scale, which has marks of its own where there are many, or at even distances."""
    xs = sorted({x for points in curves.values() for x, _ in points})
    scale_x = math.log10 if logarithmic_x else float
    places = {x: i if even else scale_x(x) for i, x in enumerate(xs)}
    x_steps = xs if even or len(xs) <= 10 else [
        step for step in choose_steps(xs[0], xs[-1]) if xs[0] <= step <= xs[-1]]
    ys = [y for points in curves.values() for _, y in points]
    y_steps = choose_decades(min(ys), max(ys)) if logarithmic else choose_steps(0, max(ys))
    scale = math.log10 if logarithmic else float
    bottom, top = scale(y_steps[0]), scale(y_steps[-1])

    def place_x(x):
        low, high = places[xs[0]], places[xs[-1]]
        at = places[x] if x in places else scale_x(x)
        return LEFT + 16 + (at - low) / ((high - low) or 1) * (RIGHT - LEFT - 32)

    def place_y(y):
        return BOTTOM - (scale(y) - bottom) / (top - bottom) * (BOTTOM - TOP)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             f'aria-label="{html.escape(title)}: {html.escape(y_label)}" '
             'font-family="Helvetica, Arial, sans-serif" font-size="18" fill="#222">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fdfdfb"/>',
             write_text(20, 34, title, "start", ' font-weight="bold"'),
             *draw_legend(curves), *draw_axes(x_steps, y_steps, place_x, place_y, x_label, y_label)]
    for i, points in enumerate(curves.values()):
        line = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[i]}" stroke-width="3" '
                     f'stroke-dasharray="{DASHES[i]}"/>')
        parts += [draw_mark(MARKS[i], place_x(x), place_y(y), COLOURS[i]) for x, y in points]
    return "\n".join(parts) + "\n</svg>\n"
