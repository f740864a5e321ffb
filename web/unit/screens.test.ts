import assert from "node:assert/strict";
import test from "node:test";
import { placeWords } from "../parts/notes";
import { sweepSpec } from "../screens/compare";
import { groupWords, riskSpec } from "../screens/columns";
import { barsOf } from "../screens/side_by_side";
import { at } from "../spec_tree";

const how = { axes: "risk", limit: "0.09", methods: ["mondrian"] };

test("a sweep goes up to a tenth of the people, and asks only for what can be met", () => {
  const plain = sweepSpec({ columns: { age: "quasi" }, privacy: { k: "5" } }, 200, Infinity, how);
  assert.deepEqual(at(plain, "frontier"), {
    sweep: { k: ["2", "3", "5", "8", "10", "12", "15", "20"] },
    methods: ["mondrian"],
    axes: ["highest_risk", "gcp"],
    max: { highest_risk: "0.09" },
  });
  assert.equal(at(plain, "privacy", "k"), "5");
  const mixed = sweepSpec({ columns: { age: "quasi", ill: "sensitive" } }, 20, 2.5, { ...how, axes: "values", limit: "" });
  assert.deepEqual(at(mixed, "frontier", "sweep"), { k: ["2", "3", "5"], l: ["2"] });
  assert.deepEqual(at(mixed, "frontier", "axes"), ["privacy_loss", "utility_loss"]);
  assert.equal(at(mixed, "frontier", "max"), undefined);
  assert.deepEqual(at(sweepSpec({ columns: { age: "quasi" } }, 20, 9, { ...how, axes: "values" }), "frontier", "axes"), ["highest_risk", "gcp"]);
  assert.equal(at(sweepSpec({ columns: { ill: "sensitive" } }, 20, 1.2, how), "frontier", "sweep", "l"), undefined);
});

test("who is unique depends on what is known and how it is read, not on what is promised", () => {
  const spec = {
    columns: { id: "person", name: "identifier", age: { role: "quasi", weight: "2", round: "5", hierarchy: "widths:5" }, note: "insensitive" },
    privacy: { k: "5" }, input: { encoding: "latin1" }, missing: { action: "keep" }, method: "mondrian",
  };
  assert.deepEqual(riskSpec(spec), { columns: { id: { role: "person" }, age: { role: "quasi", round: "5" } }, input: { encoding: "latin1" }, missing: { action: "keep" } });
});

test("bars stand for the same bins and values before and after", () => {
  const numbers = { name: "age", type: "integer", distinct: 9, missing: 0, bins: { from: ["1", "5"], to: ["4", "9"], counts: [3, 7] }, after: { counts: [4.5, 5.5] } };
  assert.deepEqual(barsOf(numbers), [{ label: "1 to 4", before: 3, after: 4.5 }, { label: "5 to 9", before: 7, after: 5.5 }]);
  assert.deepEqual(barsOf({ ...numbers, after: null }).map((b) => b.after), [0, 0]);
  const texts = { name: "job", type: "string", distinct: 2, missing: 1, top: [["cook", 5], [null, 1]] as [string | null, number][], after: { top: [["*", 4], ["cook", 2]] as [string | null, number][] } };
  assert.deepEqual(barsOf(texts), [{ label: "cook", before: 5, after: 2 }, { label: "missing", before: 1, after: 0 }, { label: "*", before: 0, after: 4 }]);
});

test("the place of a mistake is told as people count", () => {
  const mistake = { status: "format", message: "x" };
  assert.equal(placeWords({ ...mistake, line: 7, column: 12, record: 5 }), "line 7, byte 12: ");
  assert.equal(placeWords({ ...mistake, line: 7 }), "line 7: ");
  assert.equal(placeWords({ ...mistake, record: 0, field: 2 }), "record 1, column 3: ");
  assert.equal(placeWords({ ...mistake, record: -1, field: null }), "");
});

test("groups are told in plain words", () => {
  assert.equal(groupWords("own"), "a tree of one's own");
  assert.equal(groupWords("prefix:5"), "masked from the right");
  assert.equal(groupWords("widths:5,10@0"), "steps of 5, 10");
  assert.equal(groupWords("breaks:18,40;40"), "breaks at 18,40");
  assert.equal(groupWords("job.csv"), "job.csv");
});
