import assert from "node:assert/strict";
import test from "node:test";
import { breaksOf, breaksText, depth, dissolve, fileOf, groupTogether, groups, leafCount, levelsOfTree, merge, move, moveBreak, rename, setBreakLevels, treeOf, type Node } from "../parts/tree_model";

const JOBS = [["nurse", "health", "*"], ["doctor", "health", "*"], ["baker", "food", "*"], ["cook", "food", "*"], ["clerk", "*"], [null, "*"]];
const id = (tree: Node, label: string): number => {
  const all = (n: Node): Node[] => [n, ...n.children.flatMap(all)];
  const found = all(tree).filter((n) => n.label === label);
  assert.equal(found.length, 1, label);
  return found[0]!.id;
};
const sorted = (tree: Node) => levelsOfTree(tree).map((p) => p.join(">")).sort();

test("paths become a tree and the tree the same paths, of different lengths, missing values too", () => {
  const tree = treeOf(JOBS);
  assert.equal(leafCount(tree), 6);
  assert.equal(depth(tree), 2);
  assert.deepEqual(groups(tree).map((g) => g.label), ["*", "health", "food"]);
  assert.deepEqual(levelsOfTree(tree), JOBS);
});

test("a group is renamed, unless the name is taken, is empty, or it is a value", () => {
  const tree = treeOf(JOBS);
  const made = rename(tree, id(tree, "food"), "kitchen");
  assert.equal(made.refusal, "");
  assert(sorted(made.tree).includes("cook>kitchen>*"));
  assert.deepEqual(levelsOfTree(tree), JOBS);
  for (const [node, label] of [["food", "health"], ["food", "nurse"], ["food", "  "], ["nurse", "x"]] as const) {
    const refused = rename(tree, id(tree, node), label);
    assert.notEqual(refused.refusal, "");
    assert.equal(refused.tree, tree);
  }
  assert.equal(rename(tree, id(tree, "food"), "food").refusal, "");
});

test("a node moves below another group, and an empty group disappears", () => {
  const tree = treeOf(JOBS);
  let made = move(tree, id(tree, "clerk"), id(tree, "food"));
  assert(sorted(made.tree).includes("clerk>food>*"));
  made = move(tree, id(tree, "food"), id(tree, "health"));
  assert(sorted(made.tree).includes("cook>food>health>*"));
  assert.equal(leafCount(made.tree), 6);
  made = move(tree, id(tree, "nurse"), id(tree, "*"));
  made = move(made.tree, id(made.tree, "doctor"), id(made.tree, "*"));
  assert.deepEqual(groups(made.tree).map((g) => g.label), ["*", "food"]);
});

test("moves that make no sense are refused: into itself, into a value, of the root, to where it is", () => {
  const tree = treeOf([["a", "x", "y", "*"], ["b", "y", "*"]]);
  for (const [what, where] of [["y", "x"], ["y", "y"], ["a", "b"], ["*", "x"], ["a", "x"]] as const) {
    const made = move(tree, id(tree, what), id(tree, where));
    assert.notEqual(made.refusal, "", `${what} to ${where}`);
    assert.equal(made.tree, tree);
  }
});

test("groups are merged into the first, values are not", () => {
  const tree = treeOf(JOBS);
  const made = merge(tree, [id(tree, "health"), id(tree, "food")]);
  assert.equal(made.refusal, "");
  assert.deepEqual(groups(made.tree).map((g) => g.label), ["*", "health"]);
  assert.equal(leafCount(made.tree), 6);
  assert.notEqual(merge(tree, [id(tree, "nurse"), id(tree, "cook")]).refusal, "");
  assert.notEqual(merge(tree, [id(tree, "health")]).refusal, "");
  assert.notEqual(merge(tree, [id(tree, "*"), id(tree, "food")]).refusal, "");
});

test("some of a group are put together under a new one, where the first stood", () => {
  const tree = treeOf(JOBS);
  const made = groupTogether(tree, [id(tree, "health"), id(tree, "clerk")], "indoors");
  assert.equal(made.refusal, "");
  assert.deepEqual(made.tree.children.map((c) => c.label), ["indoors", "food", "(missing)"]);
  assert(sorted(made.tree).includes("nurse>health>indoors>*"));
  assert.notEqual(groupTogether(tree, [id(tree, "nurse"), id(tree, "cook")], "x").refusal, "");
  assert.notEqual(groupTogether(tree, [id(tree, "nurse")], "food").refusal, "");
  assert.notEqual(groupTogether(tree, [], "x").refusal, "");
});

test("a dissolved group leaves its members one level up", () => {
  const tree = treeOf(JOBS);
  const made = dissolve(tree, id(tree, "food"));
  assert(sorted(made.tree).includes("cook>*"));
  assert.equal(leafCount(made.tree), 6);
  assert.notEqual(dissolve(tree, id(tree, "*")).refusal, "");
  assert.notEqual(dissolve(tree, id(tree, "cook")).refusal, "");
});

test("a saved file quotes what would be mistaken", () => {
  assert.equal(fileOf(treeOf([["a;b", "x", "*"], ['say "no"', "x", "*"]])), '"a;b";x;*\n"say ""no""";x;*\n');
});

test("breaks are read, written sorted, moved between their neighbours and through all levels", () => {
  const levels = breaksOf("breaks:18,40,65;40");
  assert.deepEqual(levels, [[18, 40, 65], [40]]);
  assert.equal(breaksText(levels), "breaks:18,40,65;40");
  assert.equal(breaksText([[3, 1, 3], []]), "breaks:1,3");
  assert.equal(breaksText([]), "");
  assert.deepEqual(moveBreak(levels, 40, 45, 1), [[18, 45, 65], [45]]);
  assert.deepEqual(moveBreak(levels, 40, 90, 1), [[18, 64, 65], [64]]);
  assert.deepEqual(moveBreak(levels, 18, -5, 1), [[-5, 40, 65], [40]]);
  assert.deepEqual(setBreakLevels(levels, 65, 2), [[18, 40, 65], [40, 65]]);
  assert.deepEqual(setBreakLevels(levels, 40, 0), [[18, 65]]);
  assert.deepEqual(setBreakLevels([], 30, 1), [[30]]);
});
