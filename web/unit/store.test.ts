import assert from "node:assert/strict";
import test from "node:test";
import { MOST_CHANGES, canRedo, canUndo, change, goTo, history, keep, redo, restart, restore, seal, spec, specPrint, undo } from "../store";
import { askedCount, askedOf, askedOfList, at, withAsked, canonical, columnOf, differences, hierarchyText, levelsOf, print, put, roleOf, textAt, withNewRole, withRole, withSaid, withValue, type Spec } from "../spec_tree";

const k = (value: string): Spec => ({ privacy: { k: value } });

test("changes can be undone and done again, one by one, and a new one ends what was undone", () => {
  restart({});
  assert(!canUndo.value && !canRedo.value);
  change("k 2", k("2"));
  change("k 5", k("5"));
  change("k 5 again", { privacy: { k: "5" } });
  assert.equal(history.value.changes.length, 2);
  undo();
  assert.equal(textAt(spec.value, "privacy", "k"), "2");
  undo();
  undo();
  assert.deepEqual(spec.value, {});
  redo();
  redo();
  redo();
  assert.equal(textAt(spec.value, "privacy", "k"), "5");
  goTo(1);
  assert.equal(textAt(spec.value, "privacy", "k"), "2");
  change("k 9", k("9"));
  assert(!canRedo.value);
  assert.deepEqual(history.value.changes.map((c) => c.label), ["k 2", "k 9"]);
  goTo(-3);
  assert.deepEqual(spec.value, {});
  goTo(99);
  assert.equal(textAt(spec.value, "privacy", "k"), "9");
});

test("what is typed is one change, from before the first key to after the last", () => {
  restart(k("2"));
  change("title…", { ...k("2"), report: { title: "a" } });
  change("title…", { ...k("2"), report: { title: "ab" } });
  assert.equal(history.value.changes.length, 1);
  undo();
  assert.deepEqual(spec.value, k("2"));
  change("k", k("3"));
  change("k", k("4"));
  assert.equal(history.value.changes.length, 2);
  restart({});
  change("k…", k("3"));
  change("k…", k("4"));
  seal();
  change("k…", k("5"));
  change("k…", k("6"));
  assert.equal(history.value.changes.length, 2);
  undo();
  assert.deepEqual(spec.value, k("4"));
  redo();
  change("k…", k("7"));
  assert.equal(history.value.changes.length, 3);
});

test("the history has a most, beyond which the oldest changes are forgotten but their result is not", () => {
  restart({});
  for (let i = 0; i < MOST_CHANGES + 5; i++) change("k " + i, k(String(i)));
  assert.equal(history.value.changes.length, MOST_CHANGES);
  assert.equal(textAt(spec.value, "privacy", "k"), String(MOST_CHANGES + 4));
  goTo(0);
  assert.equal(textAt(spec.value, "privacy", "k"), "4");
});

test("history and place in it are kept and come back; what is no history is refused", () => {
  restart({});
  change("k 2", k("2"));
  change("k 5", k("5"));
  undo();
  const kept = JSON.parse(JSON.stringify(keep()));
  restart({});
  assert(restore(kept));
  assert.equal(textAt(spec.value, "privacy", "k"), "2");
  assert(canRedo.value);
  for (const bad of [null, 3, {}, { base: {}, changes: [{}], done: 0 }, { base: [], changes: [], done: 0 }, { base: {}, changes: [], done: "1" }]) {
    assert.equal(restore(bad), false);
  }
  assert.equal(textAt(spec.value, "privacy", "k"), "2");
});

test("the print tells specs apart, and not the order of their keys", () => {
  const a = { columns: { x: "quasi", y: { role: "sensitive", type: "real" } }, privacy: { k: "3" } };
  const b = { privacy: { k: "3" }, columns: { y: { type: "real", role: "sensitive" }, x: "quasi" } };
  assert.equal(print(a), print(b));
  assert.equal(canonical(a), canonical(b));
  for (const other of [k("3"), withValue(a, ["privacy", "k"], "4"), withSaid(a, ["y"], "type", "integer"), { ...a, seed: "1" }]) {
    assert.notEqual(print(a), print(other));
  }
  assert.notEqual(canonical({ a: ["b", "c"] }), canonical({ a: ["c", "b"] }));
  assert.notEqual(canonical({ a: ["b,c"] }), canonical({ a: ["b", "c"] }));
  restart(a);
  assert.equal(specPrint.value, print(b));
});

test("values are put and taken away at any place, and empty maps go with the last of them", () => {
  const one = withValue({}, ["a", "b", "c"], "1");
  assert.deepEqual(one, { a: { b: { c: "1" } } });
  const two = withValue(one, ["a", "d"], "2");
  assert.deepEqual(withValue(two, ["a", "b", "c"], undefined), { a: { d: "2" } });
  assert.deepEqual(withValue(one, ["a", "b", "c"], ""), {});
  assert.deepEqual(one, { a: { b: { c: "1" } } });
  assert.deepEqual(put({ x: "1", y: "2" }, ["x"], "3"), { x: "3", y: "2" });
  assert.deepEqual(Object.keys(withValue({ x: "1", y: "2" }, ["x"], "3")), ["x", "y"]);
});

test("columns may be called as anything of the language is", () => {
  let s: Spec = {};
  for (const name of ["__proto__", "constructor", "toString", "1", ""]) s = withNewRole(s, [name], "quasi");
  for (const name of ["__proto__", "constructor", "toString", "1", ""]) assert.equal(roleOf(s, name), "quasi");
  assert.equal(roleOf(s, "valueOf"), "");
  assert.equal(at({}, "constructor"), undefined);
  assert.equal(withRole(s, ["quasi"]).length, 5);
  assert.equal(({} as Record<string, unknown>).role, undefined);
});

test("a single word is a role, and another role keeps only what it may", () => {
  const s: Spec = { columns: { age: "quasi", zip: { role: "quasi", weight: "2", grid: "5", hierarchy: "prefix:5", type: "string" } } };
  assert.deepEqual(columnOf(s, "age"), { role: "quasi" });
  assert.deepEqual(columnOf(withNewRole(s, ["zip"], "sensitive"), "zip"), { role: "sensitive", hierarchy: "prefix:5", type: "string" });
  assert.deepEqual(columnOf(withNewRole(s, ["zip"], ""), "zip"), { type: "string" });
  assert.deepEqual(columnOf(withSaid(s, ["age", "zip"], "type", "real"), "age"), { role: "quasi", type: "real" });
});

test("hierarchies are texts in all forms that have one", () => {
  const cases: [unknown, string][] = [
    ["prefix:5", "prefix:5"], [{ prefix: "3", separators: "." }, "prefix:3@."], [{ widths: ["5", "10"], origin: "0" }, "widths:5,10@0"],
    [{ breaks: [["18", "40"], ["40"]] }, "breaks:18,40;40"], [{ codes: "icd10", other: "unknown" }, "icd10:unknown"],
    [{ file: "job.csv" }, "job.csv"], [{ levels: [["a", "*"]] }, "own"], [undefined, ""],
  ];
  for (const [said, text] of cases) {
    const s = { columns: { x: said === undefined ? "quasi" : { role: "quasi", hierarchy: said } } } as Spec;
    assert.equal(hierarchyText(s, "x"), text);
  }
  assert.deepEqual(levelsOf({ columns: { x: { hierarchy: { levels: [["a", "*"]] } } } }, "x"), [["a", "*"]]);
  assert.equal(levelsOf({ columns: { x: { hierarchy: "flat" } } }, "x"), null);
});

test("requirements are read in every form of the spec", () => {
  const asked = (said: unknown) => askedOfList({ privacy: { l: said } } as Spec, "l")[0] ?? null;
  assert.deepEqual(asked("3"), { value: "3", kind: "", column: "" });
  assert.deepEqual(asked("distinct:3"), { value: "3", kind: "distinct", column: "" });
  assert.deepEqual(asked("diagnosis=recursive:3:2"), { value: "2", kind: "recursive:3", column: "diagnosis" });
  assert.deepEqual(asked({ value: "2", kind: { recursive: "3" } }), { value: "2", kind: "recursive:3", column: "" });
  assert.deepEqual(asked(["2", "entropy:3"]), { value: "2", kind: "", column: "" });
  assert.equal(asked(undefined), null);
  assert.deepEqual(askedOf({ privacy: { t: { value: "0.2", distance: "js", column: "d" } } }, "t", "d"), { value: "0.2", kind: "js", column: "d" });
  assert.equal(askedCount({ privacy: { l: ["2", "3"] } }, "l"), 2);
  assert.equal(askedCount({ privacy: { l: "2" } }, "l"), 1);
  assert.equal(askedCount({}, "l"), 0);
});

test("what is asked for one sensitive column is put beside what is asked for another", () => {
  let s = withAsked({}, "l", { value: "3", kind: "", column: "" });
  assert.deepEqual(s, { privacy: { l: "3" } });
  s = withAsked({}, "l", { value: "3", kind: "distinct", column: "a" });
  s = withAsked(s, "l", { value: "2", kind: "recursive:3", column: "b" });
  assert.deepEqual(s, { privacy: { l: [{ value: "3", kind: "distinct", column: "a" }, { value: "2", kind: { recursive: "3" }, column: "b" }] } });
  s = withAsked(s, "l", { value: "4", kind: "", column: "a" });
  assert.deepEqual(askedOfList(s, "l").map((a) => a.value), ["2", "4"]);
  assert.deepEqual(askedOf(s, "l", "b"), { value: "2", kind: "recursive:3", column: "b" });
  s = withAsked(s, "l", { value: "", kind: "", column: "b" });
  assert.deepEqual(s, { privacy: { l: { value: "4", column: "a" } } });
  assert.deepEqual(withAsked({}, "t", { value: "0.2", kind: "equal", column: "" }), { privacy: { t: { value: "0.2", distance: "equal" } } });
  const named: Spec = { privacy: { alpha: { limits: { HIV: "0.2" } } } };
  assert.deepEqual(withAsked(named, "alpha", { value: "0.5", kind: "", column: "" }), { privacy: { alpha: [{ limits: { HIV: "0.2" } }, "0.5"] } });
});

test("differences are named where they are", () => {
  const a: Spec = { columns: { age: "quasi", zip: "quasi" }, privacy: { k: "5" }, seed: "1" };
  const b: Spec = { columns: { age: { role: "quasi", type: "integer" }, zip: "quasi" }, privacy: { k: "5", l: "2" }, seed: "2" };
  assert.deepEqual(differences(a, b), ["type of age", "privacy l", "seed"]);
  assert.deepEqual(differences(a, a), []);
});
