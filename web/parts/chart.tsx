// Charts in SVG. Each has a table of its data for those who do not see it; colours come from classes, so dark and light are the
// style sheet's, and no chart needs colour alone.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ColumnFacts } from "../api";
import { shortened, visible } from "./cell_text";
import { barHeights, frontier, fromZero, linear, ticks } from "./scales";

export const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 4 });
export const percent = (share: number): string =>
  (share * 100).toLocaleString("en", { maximumFractionDigits: share !== 0 && Math.abs(share) < 0.01 ? 2 : 1 }) + " %";

/** The small picture of a column: bins of numbers and dates, or the most frequent texts. */
export function Summary({ facts, width = 126 }: { facts: ColumnFacts; width?: number }) {
  const counts = facts.bins ? facts.bins.counts : (facts.top ?? []).map(([, count]) => count);
  const height = 24;
  const bar = counts.length ? width / counts.length : width;
  const words = facts.bins
    ? `${facts.bins.counts.length} bins from ${facts.bins.from[0]} to ${facts.bins.to.at(-1)}`
    : `${number(facts.distinct)} different values`;
  return (
    <svg class="summary" width={width} height={height} role="img" aria-label={words}>
      {barHeights(counts).map((h, i) => (
        <rect class={facts.bins ? "bar" : "bar text"} x={i * bar + 0.5} width={Math.max(1, bar - 1)} y={height - h * (height - 1)} height={h * (height - 1)} />
      ))}
    </svg>
  );
}

export interface Bar {
  label: string;
  before: number;
  after: number;
}

/** How often values occur, before and after, beside each other. */
export function BeforeAfter({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const width = 320;
  const height = 90;
  const most = Math.max(1, ...bars.flatMap((b) => [b.before, b.after]));
  const step = width / Math.max(1, bars.length);
  const y = linear([0, most], [height, 2]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height + 2}`} role="img" aria-label={`${title}: ${bars.length} values before and after; the table has them`}>
        {bars.map((b, i) => (
          <g>
            <title>{`${b.label}: ${number(b.before)} before, ${number(Math.round(b.after))} after`}</title>
            <rect class="before" x={i * step + 1} width={Math.max(1, step / 2 - 1)} y={y(b.before)} height={height - y(b.before)} />
            <rect class="after" x={i * step + step / 2} width={Math.max(1, step / 2 - 1)} y={y(b.after)} height={height - y(b.after)} />
          </g>
        ))}
        <line class="axis" x1={0} x2={width} y1={height} y2={height} />
      </svg>
      <DataTable head={["value", "before", "after"]} rows={bars.map((b) => [b.label, number(b.before), number(Math.round(b.after))])} />
    </figure>
  );
}

export function DataTable({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <details class="data-table">
      <summary>as a table</summary>
      <div class="scroll-x" tabIndex={0} role="group" aria-label="data of the chart">
        <table>
          <thead>
            <tr>
              {head.map((h) => (
                <th scope="col">{h}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {row.map((cell) => (
                  <td>
                    <bdi>{visible(shortened(cell, 60))}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

// --- The frontier. -------------------------------------------------------------------------------

export interface Mark {
  key: string;
  x: number;
  y: number;
  requirement: string;
  method: string;
  words: string;
  isRecommended?: boolean;
}

const SHAPES = ["circle", "square", "diamond", "triangle"] as const;

/** Points by what they reveal and what they lose. Hover, or the arrow keys after Tab, tell about one; Enter chooses it. */
export function FrontierChart(props: {
  marks: readonly Mark[];
  xTitle: string;
  yTitle: string;
  chosen: readonly string[];
  choose: (key: string) => void;
  children?: ComponentChildren;
}) {
  const { marks } = props;
  const [told, setTold] = useState(-1);
  // Drawn in the pixels there are, so that letters keep their size on a narrow screen.
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.max(300, Math.min(960, box.current!.clientWidth)));
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(box.current!);
    return () => watching.disconnect();
  }, []);
  const height = Math.round(Math.max(260, Math.min(420, width * 0.5)));
  const edge = { left: 56, right: 16, top: 14, bottom: 44 };
  const x = linear(fromZero(marks.map((m) => m.x)), [edge.left, width - edge.right]);
  const y = linear(fromZero(marks.map((m) => m.y)), [height - edge.bottom, edge.top]);
  const best = frontier(marks);
  const methods = [...new Set(marks.map((m) => m.method))];
  const onKey = (e: KeyboardEvent) => {
    const order = marks.map((_, i) => i).sort((a, b) => marks[a]!.x - marks[b]!.x || marks[a]!.y - marks[b]!.y);
    const at = order.indexOf(told);
    if (e.key === "ArrowRight" || e.key === "ArrowDown") setTold(order[Math.min(order.length - 1, at + 1)] ?? -1);
    else if (e.key === "ArrowLeft" || e.key === "ArrowUp") setTold(order[Math.max(0, at - 1)] ?? -1);
    else if ((e.key === "Enter" || e.key === " ") && marks[told]) props.choose(marks[told]!.key);
    else return;
    e.preventDefault();
  };
  // Those that are beaten by none are drawn last, over equal ones that are beaten by a hair.
  const order = marks.map((_, i) => i).sort((a, b) => Number(best[a]) - Number(best[b]));
  const line = marks.filter((_, i) => best[i]).sort((a, b) => a.x - b.x || b.y - a.y);
  const now = marks[told];
  return (
    <figure class="chart frontier" ref={box}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="application"
        aria-label={`Releases by ${props.xTitle} and ${props.yTitle}. Arrow keys go through the ${marks.length} points, Enter chooses one.`}
        tabIndex={0}
        onKeyDown={onKey}
        onBlur={() => setTold(-1)}
      >
        {ticks(x.domain, width < 480 ? 3 : 6).map((t) => (
          <g>
            <line class="rule" x1={x(t)} x2={x(t)} y1={edge.top} y2={height - edge.bottom} />
            <text class="tick" x={x(t)} y={height - edge.bottom + 16} text-anchor="middle">
              {percent(t)}
            </text>
          </g>
        ))}
        {ticks(y.domain, 5).map((t) => (
          <g>
            <line class="rule" x1={edge.left} x2={width - edge.right} y1={y(t)} y2={y(t)} />
            <text class="tick" x={edge.left - 6} y={y(t) + 4} text-anchor="end">
              {percent(t)}
            </text>
          </g>
        ))}
        <text class="axis-title" x={(edge.left + width - edge.right) / 2} y={height - 6} text-anchor="middle">
          {props.xTitle}
        </text>
        <text class="axis-title" transform={`translate(13 ${(height - edge.bottom) / 2}) rotate(-90)`} text-anchor="middle">
          {props.yTitle}
        </text>
        {line.length > 1 && <polyline class="front" points={line.map((m) => `${x(m.x)},${y(m.y)}`).join(" ")} />}
        {order.map((i) => {
          const m = marks[i]!;
          const letter = props.chosen.indexOf(m.key);
          return (
            <g
              class={"mark" + (best[i] ? " best" : "") + (told === i ? " told" : "") + (letter >= 0 ? " chosen" : "")}
              transform={`translate(${x(m.x)} ${y(m.y)})`}
              onMouseEnter={() => setTold(i)}
              onMouseLeave={() => setTold(-1)}
              onClick={() => props.choose(m.key)}
            >
              <circle class="target" r={12} />
              {(m.isRecommended || told === i) && <circle class="ring" r={10} />}
              <Shape kind={SHAPES[methods.indexOf(m.method) % SHAPES.length]!} />
              {letter >= 0 && (
                <text class="letter" x={0} y={-13} text-anchor="middle">
                  {"AB"[letter]}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <p class="told" aria-live="polite">
        {now ? (
          <bdi>{now.words}</bdi>
        ) : (
          <>
            Less is better on both sides; filled marks are beaten by none.{" "}
            {methods.map((m, i) => (
              <span class="legend">
                <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
                  <g class="mark">
                    <Shape kind={SHAPES[i % SHAPES.length]!} />
                  </g>
                </svg>{" "}
                {m}
              </span>
            ))}
          </>
        )}
      </p>
    </figure>
  );
}

function Shape({ kind }: { kind: (typeof SHAPES)[number] }) {
  if (kind === "circle") return <circle class="shape" r={5} />;
  if (kind === "square") return <rect class="shape" x={-4.5} y={-4.5} width={9} height={9} />;
  if (kind === "diamond") return <path class="shape" d="M0-6 6 0 0 6-6 0Z" />;
  return <path class="shape" d="M0-6 6 5H-6Z" />;
}
