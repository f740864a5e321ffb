// Scales of charts: from figures to pixels, and round marks on an axis.

export interface Scale {
  (value: number): number;
  readonly domain: readonly [number, number];
}

export function linear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [a, b] = domain;
  const [c, d] = range;
  const scale = (value: number) => (b === a ? (c + d) / 2 : c + ((value - a) / (b - a)) * (d - c));
  return Object.assign(scale, { domain });
}

/** A round step (1, 2 or 5 times a power of ten) that makes about `count` marks. */
export function roundStep(span: number, count: number): number {
  if (!(span > 0) || !Number.isFinite(span)) return 1;
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const share = raw / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}

/** Round marks within a domain. They are multiples of a step, not sums, so that 0.3 is 0.3. */
export function ticks(domain: readonly [number, number], count = 5): number[] {
  const [a, b] = domain;
  const step = roundStep(b - a, count);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const marks: number[] = [];
  for (let i = Math.ceil(a / step - 1e-9); i * step <= b + step * 1e-9; i++) marks.push(Number((i * step).toFixed(digits)));
  return marks;
}

/** A domain from 0 to a round figure that holds all values. */
export function fromZero(values: readonly number[]): [number, number] {
  const most = Math.max(0, ...values.filter(Number.isFinite));
  if (most === 0) return [0, 1];
  const step = roundStep(most, 5);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return [0, Number((Math.ceil(most / step - 1e-9) * step).toFixed(digits))];
}

export interface Point {
  x: number;
  y: number;
}

/** Which points no other beats on both axes, less being better; of equal ones all stay. */
export function frontier(points: readonly Point[]): boolean[] {
  return points.map((p) => !points.some((q) => q.x <= p.x && q.y <= p.y && (q.x < p.x || q.y < p.y)));
}

/** Heights of bars from 0 to 1. A count that is there is seen: at least `least`. */
export function barHeights(counts: readonly number[], least = 0.06): number[] {
  const most = Math.max(0, ...counts);
  return counts.map((c) => (c <= 0 || most === 0 ? 0 : Math.max(least, c / most)));
}
