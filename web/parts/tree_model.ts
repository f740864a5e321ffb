// A hierarchy as a tree that can be edited: rename, move, merge, group, dissolve.
//
// What is edited is what a spec holds, a path from each value to the root. A tree never changes; each edit makes a new one.

import type { Levels } from "../spec_tree";

export interface Node {
  readonly id: number;
  readonly label: string;
  /** Of a leaf: the value it stands for, null being the missing one. Groups have none. */
  readonly value?: string | null;
  readonly children: readonly Node[];
}

export interface Edited {
  tree: Node;
  /** Why nothing was done; empty when something was. */
  refusal: string;
}

let nextId = 1;
const leaf = (value: string | null): Node => ({ id: nextId++, label: value ?? "(missing)", value, children: [] });
const group = (label: string, children: readonly Node[]): Node => ({ id: nextId++, label, children });

export const isLeaf = (node: Node): boolean => node.value !== undefined;

/** The tree of paths from values to the root. Paths may differ in length; all end in the same root. */
export function treeOf(levels: Levels): Node {
  const rootLabel = levels.find((path) => path.length > 1)?.at(-1) ?? "*";
  interface Open { label: string; groups: Map<string, Open>; items: (Open | Node)[] }
  const open = (label: string): Open => ({ label, groups: new Map(), items: [] });
  const root = open(rootLabel ?? "*");
  for (const path of levels) {
    let here = root;
    // From below the root down to the label next to the value.
    for (let i = path.length - 2; i >= 1; i--) {
      const label = path[i] ?? "";
      let next = here.groups.get(label);
      if (!next) {
        next = open(label);
        here.groups.set(label, next);
        here.items.push(next);
      }
      here = next;
    }
    here.items.push(leaf(path[0] ?? null));
  }
  const close = (o: Open): Node => group(o.label, o.items.map((i) => ("items" in i ? close(i) : i)));
  return close(root);
}

/** The paths of a tree, in its order. */
export function levelsOfTree(tree: Node): (string | null)[][] {
  const paths: (string | null)[][] = [];
  const walk = (node: Node, above: readonly string[]) => {
    if (isLeaf(node)) paths.push([node.value ?? null, ...above]);
    else for (const child of node.children) walk(child, [node.label, ...above]);
  };
  walk(tree, []);
  return paths;
}

export function leafCount(node: Node): number {
  return isLeaf(node) ? 1 : node.children.reduce((sum, child) => sum + leafCount(child), 0);
}

export function depth(node: Node): number {
  return isLeaf(node) ? 0 : 1 + Math.max(0, ...node.children.map(depth));
}

export function find(tree: Node, id: number): Node | null {
  if (tree.id === id) return tree;
  for (const child of tree.children) {
    const found = find(child, id);
    if (found) return found;
  }
  return null;
}

export function parentOf(tree: Node, id: number): Node | null {
  if (tree.children.some((child) => child.id === id)) return tree;
  for (const child of tree.children) {
    const found = parentOf(child, id);
    if (found) return found;
  }
  return null;
}

/** All groups, the root first. */
export function groups(tree: Node): Node[] {
  return isLeaf(tree) ? [] : [tree, ...tree.children.flatMap(groups)];
}

function mapNode(tree: Node, id: number, make: (node: Node) => Node | null): Node | null {
  if (tree.id === id) return make(tree);
  if (!find(tree, id)) return tree;
  const children = tree.children.map((child) => mapNode(child, id, make)).filter((child): child is Node => child !== null);
  return { ...tree, children };
}

const refused = (tree: Node, refusal: string): Edited => ({ tree, refusal });
const edited = (tree: Node | null): Edited => (tree ? { tree: pruned(tree) ?? tree, refusal: "" } : { tree: group("*", []), refusal: "" });

/** Without groups that hold nothing any more. */
function pruned(node: Node): Node | null {
  if (isLeaf(node)) return node;
  const children = node.children.map(pruned).filter((child): child is Node => child !== null);
  return children.length ? { ...node, children } : null;
}

/** A label means one set of values: no other node may have it. */
function labelIsFree(tree: Node, label: string, except: number): boolean {
  return !(tree.id !== except && tree.label === label) && tree.children.every((child) => labelIsFree(child, label, except));
}

export function rename(tree: Node, id: number, label: string): Edited {
  const node = find(tree, id);
  if (!node || isLeaf(node)) return refused(tree, "Values keep their names; groups can be renamed.");
  if (!label.trim()) return refused(tree, "A group needs a name.");
  if (!labelIsFree(tree, label, id)) return refused(tree, "Another group or value has this name; merge the two instead.");
  return edited(mapNode(tree, id, (n) => ({ ...n, label })));
}

/** Put a node below another group. */
export function move(tree: Node, id: number, target: number): Edited {
  const node = find(tree, id);
  const to = find(tree, target);
  if (!node || !to || node === tree) return refused(tree, "The root stays where it is.");
  if (isLeaf(to)) return refused(tree, "Values hold no others; move it to a group.");
  if (find(node, target)) return refused(tree, "A group cannot be moved into itself.");
  if (parentOf(tree, id)?.id === target) return refused(tree, "It is there already.");
  const without = mapNode(tree, id, () => null)!;
  return edited(mapNode(without, target, (n) => ({ ...n, children: [...n.children, node] })));
}

/** Join groups into the first of them. */
export function merge(tree: Node, ids: readonly number[]): Edited {
  const nodes = ids.map((id) => find(tree, id)).filter((n): n is Node => n !== null);
  const [first, ...others] = nodes;
  if (!first || !others.length) return refused(tree, "Choose two groups or more to merge them.");
  if (nodes.some(isLeaf)) return refused(tree, "Values cannot be merged; put them into a group of their own.");
  if (nodes.some((n) => n === tree || nodes.some((m) => m !== n && find(n, m.id)))) return refused(tree, "One of them is inside another.");
  let made: Node | null = tree;
  for (const other of others) made = made && mapNode(made, other.id, () => null);
  const children = nodes.flatMap((n) => n.children);
  return edited(made && mapNode(made, first.id, (n) => ({ ...n, children })));
}

/** A new group over some of the children of one group, where the first of them stood. */
export function groupTogether(tree: Node, ids: readonly number[], label: string): Edited {
  const parent = ids.length ? parentOf(tree, ids[0]!) : null;
  if (!parent) return refused(tree, "Choose values or groups to put together.");
  if (ids.some((id) => parentOf(tree, id)?.id !== parent.id)) return refused(tree, "They must stand below the same group; move them first.");
  if (!label.trim()) return refused(tree, "A group needs a name.");
  if (!labelIsFree(tree, label, -1)) return refused(tree, "Another group or value has this name.");
  const chosen = new Set(ids);
  const children: Node[] = [];
  let made = false;
  for (const child of parent.children) {
    if (!chosen.has(child.id)) children.push(child);
    else if (!made) {
      made = true;
      children.push(group(label, parent.children.filter((c) => chosen.has(c.id))));
    }
  }
  return edited(mapNode(tree, parent.id, (n) => ({ ...n, children })));
}

/** Take a group away; what it held goes one up. */
export function dissolve(tree: Node, id: number): Edited {
  const node = find(tree, id);
  const parent = node && parentOf(tree, id);
  if (!node || !parent) return refused(tree, "The root stays.");
  if (isLeaf(node)) return refused(tree, "Every value of the column must be in the tree.");
  const children = parent.children.flatMap((child) => (child.id === id ? child.children : [child]));
  return edited(mapNode(tree, parent.id, (n) => ({ ...n, children })));
}

/** The text of a file of paths, as other tools read and write them. */
export function fileOf(tree: Node): string {
  const quote = (cell: string) => (/[;"\r\n]/.test(cell) ? '"' + cell.replace(/"/g, '""') + '"' : cell);
  return levelsOfTree(tree).map((path) => path.map((cell) => quote(cell ?? "")).join(";") + "\n").join("");
}

// --- Intervals. --------------------------------------------------------------------------------

/** The breaks of a text such as "breaks:18,40,65;40", levels from fine to coarse. */
export function breaksOf(text: string): number[][] {
  if (!text.startsWith("breaks:")) return [];
  return text.slice(7).split(";").map((level) => level.split(",").map(Number).filter(Number.isFinite));
}

/** Levels nest: each coarser level has some of the breaks of the finer one. Empty levels say nothing and are left out. */
export function breaksText(levels: readonly (readonly number[])[]): string {
  const sorted = levels.map((level) => [...new Set(level)].sort((a, b) => a - b)).filter((level) => level.length);
  return sorted.length ? "breaks:" + sorted.map((level) => level.join(",")).join(";") : "";
}

/** Move one break of the finest level; where coarser levels have it, it moves there, too. It stays between its neighbours. */
export function moveBreak(levels: readonly (readonly number[])[], from: number, to: number, step: number): number[][] {
  const finest = levels[0] ?? [];
  const others = finest.filter((b) => b !== from);
  const below = Math.max(-Infinity, ...others.filter((b) => b < from));
  const above = Math.min(Infinity, ...others.filter((b) => b > from));
  const held = Math.min(above - step, Math.max(below + step, to));
  return levels.map((level) => level.map((b) => (b === from ? held : b)));
}

/** A break is in so many levels, from the finest up; 0 takes it away. */
export function setBreakLevels(levels: readonly (readonly number[])[], value: number, count: number): number[][] {
  const wanted = Math.max(levels.length, count);
  const made: number[][] = [];
  for (let i = 0; i < wanted; i++) {
    const others = (levels[i] ?? []).filter((b) => b !== value);
    made.push(i < count ? [...others, value].sort((a, b) => a - b) : others);
  }
  while (made.length && !made[made.length - 1]!.length) made.pop();
  return made;
}
