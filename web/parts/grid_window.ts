// The arithmetic of a grid that shows some rows of very many.
//
// Browsers cannot scroll over more than some 17 to 33 million pixels. Beyond a limit the scroller is shorter than the rows it stands
// for, and its position is remapped: a drag of the bar goes to the same share of the rows, while the small steps of wheel and
// keys move the rows by just as many pixels, so that no row is skipped.
//
//     physical   what the browser scrolls          0 ... physicalHeight - viewport
//     virtual    where that is among all rows      0 ... rows * rowHeight - viewport

export interface Track {
  rows: number;
  rowHeight: number;
  viewport: number;
  /** The most pixels that a scroller may have. */
  limit: number;
}

export interface Place {
  physical: number;
  virtual: number;
}

export const LIMIT = 12_000_000;

export function virtualHeight(t: Track): number {
  return t.rows * t.rowHeight;
}

export function physicalHeight(t: Track): number {
  return Math.min(virtualHeight(t), Math.max(t.limit, t.viewport));
}

function range(height: number, t: Track): number {
  return Math.max(0, height - t.viewport);
}

export function toVirtual(t: Track, physical: number): number {
  const from = range(physicalHeight(t), t);
  const to = range(virtualHeight(t), t);
  if (from === 0) return 0;
  return Math.min(to, Math.max(0, (physical / from) * to));
}

export function toPhysical(t: Track, virtual: number): number {
  const from = range(virtualHeight(t), t);
  if (from === 0) return 0;
  return Math.min(1, Math.max(0, virtual / from)) * range(physicalHeight(t), t);
}

/** Where a scroll to `physical` leads: by steps up to a viewport pixel for pixel, otherwise to the same share. The ends are the ends. */
export function scrolled(t: Track, from: Place, physical: number): Place {
  const most = range(physicalHeight(t), t);
  const end = range(virtualHeight(t), t);
  if (physical <= 0) return { physical: 0, virtual: 0 };
  if (physical >= most) return { physical, virtual: end };
  const step = physical - from.physical;
  if (Math.abs(step) > t.viewport || physicalHeight(t) === virtualHeight(t)) return { physical, virtual: toVirtual(t, physical) };
  return { physical, virtual: Math.min(end, Math.max(0, from.virtual + step)) };
}

/** The rows to draw, [from, to), with a few beyond the edges so that a small scroll shows no gap. */
export function rowsShown(t: Track, virtual: number, beyond = 4): { from: number; to: number } {
  const from = Math.max(0, Math.floor(virtual / t.rowHeight) - beyond);
  const to = Math.min(t.rows, Math.ceil((virtual + t.viewport) / t.rowHeight) + beyond);
  return { from, to: Math.max(from, to) };
}

/** Where a row is drawn within the scroller. */
export function rowTop(t: Track, place: Place, row: number): number {
  return place.physical + row * t.rowHeight - place.virtual;
}

/** The virtual position that shows a row, moved no further than needed. */
export function reveal(t: Track, virtual: number, row: number): number {
  const top = row * t.rowHeight;
  if (top < virtual) return top;
  const least = top + t.rowHeight - t.viewport;
  return least > virtual ? Math.max(0, least) : virtual;
}

/** The pages of `size` rows that hold the rows [from, to), by their numbers. */
export function pagesOf(from: number, to: number, size: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(from / size); page * size < to; page++) pages.push(page);
  return pages;
}

/** Where an arrow key leads among rows and columns; null: the key is not one of the grid's. */
export function moved(
  key: string,
  control: boolean,
  at: { row: number; column: number },
  size: { rows: number; columns: number; page: number },
): { row: number; column: number } | null {
  const to = { ...at };
  if (key === "ArrowDown") to.row += 1;
  else if (key === "ArrowUp") to.row -= 1;
  else if (key === "ArrowRight") to.column += 1;
  else if (key === "ArrowLeft") to.column -= 1;
  else if (key === "PageDown") to.row += size.page;
  else if (key === "PageUp") to.row -= size.page;
  else if (key === "Home") Object.assign(to, control ? { row: -1, column: 0 } : { column: 0 });
  else if (key === "End") Object.assign(to, control ? { row: size.rows - 1, column: size.columns - 1 } : { column: size.columns - 1 });
  else return null;
  // Row -1 is the head of the columns.
  to.row = Math.min(size.rows - 1, Math.max(-1, to.row));
  to.column = Math.min(size.columns - 1, Math.max(0, to.column));
  return to;
}
