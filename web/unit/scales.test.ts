import assert from "node:assert/strict";
import test from "node:test";
import { barHeights, fromZero, frontier, linear, roundStep, ticks } from "../parts/scales";

test("a scale maps the ends to the ends, and a single value to the middle", () => {
  const x = linear([10, 20], [100, 300]);
  assert.equal(x(10), 100);
  assert.equal(x(20), 300);
  assert.equal(x(12.5), 150);
  assert.equal(linear([3, 3], [0, 100])(3), 50);
});

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.equal(roundStep(100, 5), 20);
  assert.equal(roundStep(1, 5), 0.2);
  assert.equal(roundStep(7, 7), 1);
  assert.equal(roundStep(30, 5), 10);
  assert.equal(roundStep(0, 5), 1);
  assert.equal(roundStep(NaN, 5), 1);
});

test("marks are round, within the domain, and read as they are written", () => {
  assert.deepEqual(ticks([0, 1]), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks([0, 0.3], 3), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks([3, 11], 4), [4, 6, 8, 10]);
  assert.deepEqual(ticks([-10, 10], 4), [-10, -5, 0, 5, 10]);
});

test("a domain from zero holds all values and ends in a round figure", () => {
  assert.deepEqual(fromZero([3, 17, 42]), [0, 50]);
  assert.deepEqual(fromZero([0.07]), [0, 0.08]);
  assert.deepEqual(fromZero([]), [0, 1]);
  assert.deepEqual(fromZero([NaN, Infinity]), [0, 1]);
});

test("the frontier is what no other point beats, as a slow count says", () => {
  const points = [[1, 5], [2, 2], [2, 2], [3, 1], [3, 3], [1, 6], [9, 0]].map(([x, y]) => ({ x: x!, y: y! }));
  assert.deepEqual(frontier(points), [true, true, true, true, false, false, true]);
  assert.deepEqual(frontier([]), []);
});

test("every count that is there has a bar that is seen", () => {
  assert.deepEqual(barHeights([0, 50, 100]), [0, 0.5, 1]);
  assert.deepEqual(barHeights([1, 10000], 0.1), [0.1, 1]);
  assert.deepEqual(barHeights([0, 0]), [0, 0]);
});
