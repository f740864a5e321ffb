import assert from "node:assert/strict";
import test from "node:test";
import { moved, pagesOf, physicalHeight, reveal, rowTop, rowsShown, scrolled, toPhysical, toVirtual, virtualHeight, type Track } from "../parts/grid_window";

const small: Track = { rows: 1000, rowHeight: 28, viewport: 600, limit: 1_000_000 };
const large: Track = { rows: 5_000_000, rowHeight: 28, viewport: 600, limit: 1_000_000 };

test("a short table is scrolled as it is", () => {
  assert.equal(physicalHeight(small), 28_000);
  for (const top of [0, 1, 333, 27_400]) assert.equal(toVirtual(small, top), top);
  assert.deepEqual(scrolled(small, { physical: 0, virtual: 0 }, 5000), { physical: 5000, virtual: 5000 });
});

test("a long one is no taller than the limit, and both ends can be reached", () => {
  assert.equal(physicalHeight(large), 1_000_000);
  assert.equal(virtualHeight(large), 140_000_000);
  assert.equal(toVirtual(large, 0), 0);
  assert.equal(toVirtual(large, 1_000_000 - 600), 140_000_000 - 600);
  const end = scrolled(large, { physical: 999_300, virtual: 1 }, 999_400);
  assert.equal(rowsShown(large, end.virtual).to, large.rows);
  assert.equal(scrolled(large, { physical: 50, virtual: 9_000_000 }, 0).virtual, 0);
});

test("small steps move the rows pixel for pixel, large ones to the same share", () => {
  const from = { physical: 500_000, virtual: toVirtual(large, 500_000) };
  const step = scrolled(large, from, 500_100);
  assert.equal(step.virtual - from.virtual, 100);
  const back = scrolled(large, step, 500_000);
  assert.equal(back.virtual, from.virtual);
  const jump = scrolled(large, from, 700_000);
  assert.equal(jump.virtual, toVirtual(large, 700_000));
});

test("remapping there and back is the same place, within a pixel", () => {
  for (const virtual of [0, 1, 28, 12_345_678, 139_999_400]) {
    assert(Math.abs(toVirtual(large, toPhysical(large, virtual)) - virtual) < 1);
  }
});

test("every row is shown exactly once on the way down by wheel", () => {
  const t: Track = { rows: 40_000, rowHeight: 28, viewport: 280, limit: 100_000 };
  let place = { physical: 30_000, virtual: toVirtual(t, 30_000) };
  let last = rowsShown(t, place.virtual, 0).to;
  for (let i = 0; i < 200; i++) {
    place = scrolled(t, place, place.physical + 100);
    const shown = rowsShown(t, place.virtual, 0);
    assert(shown.from < last, "no row is skipped");
    last = shown.to;
  }
});

test("the rows shown fill the view and no more than a little beyond it", () => {
  const { from, to } = rowsShown(small, 280, 0);
  assert.deepEqual({ from, to }, { from: 10, to: 32 });
  assert.deepEqual(rowsShown(small, 0), { from: 0, to: 26 });
  assert.deepEqual(rowsShown({ ...small, rows: 3 }, 0), { from: 0, to: 3 });
  assert.deepEqual(rowsShown({ ...small, rows: 0 }, 0), { from: 0, to: 0 });
  assert.equal(rowTop(large, { physical: 100, virtual: 1000 }, 50), 100 + 50 * 28 - 1000);
});

test("a row is revealed by the least move", () => {
  assert.equal(reveal(small, 1000, 40), 1000);
  assert.equal(reveal(small, 1000, 3), 84);
  assert.equal(reveal(small, 0, 100), 101 * 28 - 600);
  assert.equal(reveal(small, 0, 2), 0);
});

test("pages cover the rows asked for", () => {
  assert.deepEqual(pagesOf(0, 26, 200), [0]);
  assert.deepEqual(pagesOf(190, 210, 200), [0, 1]);
  assert.deepEqual(pagesOf(200, 400, 200), [1]);
  assert.deepEqual(pagesOf(5, 5, 200), [0]);
  assert.deepEqual(pagesOf(0, 0, 200), []);
});

test("arrow keys move within the grid and stop at its edges", () => {
  const size = { rows: 100, columns: 5, page: 20 };
  const at = (key: string, row: number, column: number, control = false) => moved(key, control, { row, column }, size);
  assert.deepEqual(at("ArrowDown", 0, 0), { row: 1, column: 0 });
  assert.deepEqual(at("ArrowUp", 0, 2), { row: -1, column: 2 });
  assert.deepEqual(at("ArrowUp", -1, 2), { row: -1, column: 2 });
  assert.deepEqual(at("ArrowRight", 3, 4), { row: 3, column: 4 });
  assert.deepEqual(at("ArrowLeft", 3, 4), { row: 3, column: 3 });
  assert.deepEqual(at("PageDown", 95, 1), { row: 99, column: 1 });
  assert.deepEqual(at("PageUp", 50, 1), { row: 30, column: 1 });
  assert.deepEqual(at("Home", 5, 3), { row: 5, column: 0 });
  assert.deepEqual(at("End", 5, 3), { row: 5, column: 4 });
  assert.deepEqual(at("Home", 5, 3, true), { row: -1, column: 0 });
  assert.deepEqual(at("End", 5, 3, true), { row: 99, column: 4 });
  assert.equal(at("Tab", 5, 3), null);
  assert.equal(at("a", 5, 3), null);
});
