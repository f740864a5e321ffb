// A table of any length: rows are fetched as they are scrolled to, and only those in sight are in the page.
//
// The arithmetic is in grid_window.ts. Rows are fetched in pages, a moment after scrolling came to them, so that a drag over a million
// rows asks for few. The keyboard moves an active cell, which screen readers are told of; Tab leaves the grid.
import { effect, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Rows } from "../api";
import { CellText, Name } from "./cell_text";
import { LIMIT, moved, pagesOf, physicalHeight, reveal, rowTop, rowsShown, scrolled, toPhysical, type Place, type Track } from "./grid_window";

export const ROW = 28;
const PAGE = 200;
const MOST_PAGES = 40;
const COLUMN = 150;
const NUMBERS = 76;

export interface GridProps {
  id: string;
  label: string;
  total: number;
  columns: readonly string[];
  /** Changes when other rows are meant: what was fetched before is forgotten. */
  version: string;
  fetch: (from: number, count: number, signal: AbortSignal) => Promise<Rows>;
  head?: (column: number) => ComponentChildren;
  headHeight?: number;
  /** Grids that share a place scroll together. */
  share?: Signal<number>;
  /** Cells of some columns in other words, such as classes. */
  cellClass?: (column: number) => string;
}

interface Fetched {
  rows: Rows | null;
  control: AbortController;
}

class Pages {
  private readonly kept = new Map<number, Fetched>();
  constructor(
    private readonly fetch: GridProps["fetch"],
    private readonly arrived: (error: string) => void,
  ) {}

  row(row: number): { cells: (string | null)[]; line: number; cut: Map<number, number> } | null {
    const page = Math.floor(row / PAGE);
    const rows = this.kept.get(page)?.rows;
    const at = row - page * PAGE;
    const cells = rows?.rows[at];
    if (!rows || !cells) return null;
    const cut = new Map((rows.cut ?? []).filter(([r]) => r === at).map(([, c, bytes]) => [c, bytes] as const));
    return { cells, line: rows.lines?.[at] ?? 0, cut };
  }

  /** Fetch what is missing of these; what is on its way and no longer wanted is given up. */
  want(pages: readonly number[]): void {
    for (const [page, fetched] of this.kept) {
      if (!fetched.rows && !pages.includes(page)) {
        fetched.control.abort();
        this.kept.delete(page);
      }
    }
    for (const page of pages) if (!this.kept.has(page)) void this.get(page);
    for (const page of this.kept.keys()) {
      if (this.kept.size <= MOST_PAGES) break;
      if (!pages.includes(page)) this.kept.delete(page);
    }
  }

  private async get(page: number): Promise<void> {
    const fetched: Fetched = { rows: null, control: new AbortController() };
    this.kept.set(page, fetched);
    try {
      fetched.rows = await this.fetch(page * PAGE, PAGE, fetched.control.signal);
      this.arrived("");
    } catch (e) {
      this.kept.delete(page);
      if (!fetched.control.signal.aborted) this.arrived(e instanceof Error ? e.message : String(e));
    }
  }
}

export function Grid(props: GridProps) {
  const { id, total, columns, headHeight = ROW } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const place = useRef<Place>({ physical: 0, virtual: 0 });
  const [, redraw] = useState(0);
  const [size, setSize] = useState({ width: 800, height: 400 });
  const [left, setLeft] = useState(0);
  const [active, setActive] = useState({ row: -1, column: 0 });
  const [error, setError] = useState("");
  const [isFocused, setFocused] = useState(false);
  const draw = () => redraw((n) => n + 1);
  const pages = useRef<Pages | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const track: Track = { rows: total, rowHeight: ROW, viewport: Math.max(ROW, size.height - headHeight), limit: LIMIT };

  useLayoutEffect(() => {
    pages.current = new Pages(props.fetch, (message) => (setError(message), draw()));
    place.current = { physical: 0, virtual: 0 };
    if (scroller.current) scroller.current.scrollTop = 0;
    draw();
  }, [props.version]);

  useLayoutEffect(() => {
    const el = scroller.current!;
    const measure = () => setSize({ width: el.clientWidth, height: el.clientHeight });
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(el);
    return () => watching.disconnect();
  }, []);

  const goTo = (virtual: number) => {
    const physical = toPhysical(track, virtual);
    place.current = { physical, virtual };
    scroller.current!.scrollTop = physical;
    draw();
  };

  useEffect(() => {
    if (!props.share) return undefined;
    const { share } = props;
    return effect(() => {
      if (Math.abs(share.value - place.current.virtual) > 2) goTo(share.value);
    });
  }, [props.share, total, size.height]);

  const onScroll = () => {
    const el = scroller.current!;
    if (el.scrollLeft !== left) setLeft(el.scrollLeft);
    if (Math.abs(el.scrollTop - place.current.physical) < 1) return;
    place.current = scrolled(track, place.current, el.scrollTop);
    if (props.share) props.share.value = place.current.virtual;
    draw();
    clearTimeout(settling.current);
    settling.current = setTimeout(settle, 150);
  };

  // Small steps in a remapped scroller drift from the share of the bar; at rest they are brought together.
  const settle = () => {
    const meant = toPhysical(track, place.current.virtual);
    if (scroller.current && Math.abs(meant - place.current.physical) > 1) goTo(place.current.virtual);
  };

  const shown = rowsShown(track, place.current.virtual);
  useEffect(() => {
    if (waiting.current !== undefined || total === 0) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      const now = rowsShown(track, place.current.virtual);
      pages.current!.want(pagesOf(now.from, now.to, PAGE));
    }, 30);
  });
  useEffect(() => () => (clearTimeout(waiting.current), clearTimeout(settling.current)), []);

  const onKey = (e: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(track.viewport / ROW) - 1);
    const to = moved(e.key, e.ctrlKey || e.metaKey, active, { rows: total, columns: columns.length, page });
    if (!to) return;
    e.preventDefault();
    setActive(to);
    if (to.row >= 0) {
      const virtual = reveal(track, place.current.virtual, to.row);
      if (virtual !== place.current.virtual) {
        if (props.share) props.share.value = virtual;
        goTo(virtual);
      }
    }
    const el = scroller.current!;
    const x = to.column * COLUMN;
    if (x < el.scrollLeft) el.scrollLeft = x;
    else if (x + COLUMN > el.scrollLeft + size.width - NUMBERS) el.scrollLeft = x + COLUMN - size.width + NUMBERS;
  };

  const firstColumn = Math.max(0, Math.floor(left / COLUMN) - 1);
  const lastColumn = Math.min(columns.length, Math.ceil((left + size.width) / COLUMN) + 1);
  const inSight: number[] = [];
  for (let c = firstColumn; c < lastColumn; c++) inSight.push(c);
  const rows: number[] = [];
  for (let r = shown.from; r < shown.to; r++) rows.push(r);
  const width = NUMBERS + columns.length * COLUMN;
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`;
  const isActive = (row: number, column: number) => isFocused && active.row === row && active.column === column;

  return (
    <div class="grid-box">
      <div
        ref={scroller}
        class="grid"
        role="grid"
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isFocused ? cellId(active.row, active.column) : undefined}
        aria-readonly="true"
        onScroll={onScroll}
        onKeyDown={onKey}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <div class="grid-head" role="row" aria-rowindex={1} style={{ width: width + "px", height: headHeight + "px" }}>
          <div class="grid-number" role="columnheader" aria-colindex={1}>
            line
          </div>
          {inSight.map((c) => (
            <div
              id={cellId(-1, c)}
              class={"grid-title" + (isActive(-1, c) ? " active" : "")}
              role="columnheader"
              aria-colindex={c + 2}
              style={{ left: NUMBERS + c * COLUMN + "px" }}
            >
              <Name of={columns[c]!} />
              {props.head?.(c)}
            </div>
          ))}
        </div>
        <div class="grid-body" role="rowgroup" style={{ width: width + "px", height: physicalHeight(track) + "px" }}>
          {rows.map((r) => {
            const row = pages.current?.row(r) ?? null;
            return (
              <div
                class={"grid-row" + (r % 2 ? " odd" : "")}
                role="row"
                aria-rowindex={r + 2}
                style={{ transform: `translateY(${rowTop(track, place.current, r)}px)` }}
              >
                <div class="grid-number" role="rowheader" aria-colindex={1}>
                  {row?.line || r + 1}
                </div>
                {inSight.map((c) => (
                  <div
                    id={cellId(r, c)}
                    class={"grid-cell" + (isActive(r, c) ? " active" : "") + (props.cellClass ? " " + props.cellClass(c) : "")}
                    role="gridcell"
                    aria-colindex={c + 2}
                    style={{ left: NUMBERS + c * COLUMN + "px" }}
                  >
                    {row ? <CellText text={row.cells[c] ?? null} bytes={row.cut.get(c)} /> : <span class="pending">…</span>}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
