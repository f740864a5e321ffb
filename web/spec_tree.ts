// A spec as the server speaks it: the tree of its YAML, every scalar a text.
//
// Trees are never changed; each change makes a new one that shares what stayed. Keys are names of columns, too, which may be anything,
// "__proto__" and "constructor" as well: so keys are only looked up as own properties, and objects are made from entries.

export type Tree = string | null | readonly Tree[] | { readonly [key: string]: Tree };
export type Spec = { readonly [key: string]: Tree };
type Map = { readonly [key: string]: Tree };

export const EMPTY: Spec = {};

export function isMap(tree: Tree | undefined): tree is Map {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

export function at(tree: Tree | undefined, ...path: readonly string[]): Tree | undefined {
  let here = tree;
  for (const key of path) {
    if (!isMap(here) || !Object.prototype.hasOwnProperty.call(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** The text at a place; empty where there is none. */
export function textAt(tree: Tree | undefined, ...path: readonly string[]): string {
  const found = at(tree, ...path);
  return typeof found === "string" ? found : "";
}

/** The tree with another value at a place; undefined takes it away, and maps that are left empty, too. */
export function put(tree: Tree | undefined, path: readonly string[], value: Tree | undefined): Tree | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const old = isMap(tree) ? Object.entries(tree) : [];
  const made = put(at(tree, key), rest, value);
  const entries = old.filter(([k]) => k !== key || made !== undefined).map(([k, v]) => [k, k === key ? made! : v] as const);
  if (made !== undefined && !old.some(([k]) => k === key)) entries.push([key, made]);
  return entries.length ? Object.fromEntries(entries) : undefined;
}

export function withValue(spec: Spec, path: readonly string[], value: Tree | undefined): Spec {
  const made = put(spec, path, value === "" ? undefined : value);
  return isMap(made) ? made : EMPTY;
}

// --- Columns. --------------------------------------------------------------------------------

/** What is said of a column, a single word being its role. */
export function columnOf(spec: Spec, name: string): Map {
  const said = at(spec, "columns", name);
  if (typeof said === "string") return { role: said };
  return isMap(said) ? said : {};
}

export function roleOf(spec: Spec, name: string): string {
  return textAt(columnOf(spec, name), "role");
}

export function columnsOf(spec: Spec): string[] {
  const columns = at(spec, "columns");
  return isMap(columns) ? Object.keys(columns) : [];
}

export function withRole(spec: Spec, names: readonly string[]): string[] {
  return columnsOf(spec).filter((name) => names.includes(roleOf(spec, name)));
}

/** The spec with something else said of columns; "" takes it back. */
export function withSaid(spec: Spec, names: readonly string[], key: string, value: Tree | undefined): Spec {
  return names.reduce((all, name) => {
    const said = put(columnOf(all, name), [key], value === "" ? undefined : value);
    return withValue(all, ["columns", name], said);
  }, spec);
}

/** What only counts for a quasi column, which a column of another role must not keep. */
const QUASI_ONLY = ["weight", "grid", "populations", "coarsest"];

export function withNewRole(spec: Spec, names: readonly string[], role: string): Spec {
  const clean = role === "quasi" ? spec : QUASI_ONLY.reduce((all, key) => withSaid(all, names, key, undefined), spec);
  const made = role ? clean : withSaid(clean, names, "hierarchy", undefined);
  return withSaid(made, names, "role", role);
}

// --- Hierarchies, as texts where texts can say them. -------------------------------------------

export type Levels = readonly (readonly (string | null)[])[];

export function levelsOf(spec: Spec, column: string): Levels | null {
  const levels = at(columnOf(spec, column), "hierarchy", "levels");
  return Array.isArray(levels) ? (levels as Levels) : null;
}

/** "prefix:5", "widths:5,10@0", "job.csv"; "own" for levels in the spec; "" for none. */
export function hierarchyText(spec: Spec, column: string): string {
  const h = at(columnOf(spec, column), "hierarchy");
  if (typeof h === "string") return h;
  if (!isMap(h)) return "";
  if (at(h, "levels")) return "own";
  const list = (t: Tree | undefined) => (Array.isArray(t) ? t.map(String) : [String(t ?? "")]);
  if (at(h, "file")) return textAt(h, "file");
  if (at(h, "prefix") !== undefined) return "prefix:" + textAt(h, "prefix") + (textAt(h, "separators") ? "@" + textAt(h, "separators") : "");
  if (at(h, "widths")) return "widths:" + list(at(h, "widths")).join(",") + (textAt(h, "origin") ? "@" + textAt(h, "origin") : "");
  if (at(h, "breaks")) return "breaks:" + (at(h, "breaks") as readonly Tree[]).map((l) => list(l).join(",")).join(";");
  if (at(h, "codes")) return textAt(h, "codes") + (textAt(h, "other") ? ":" + textAt(h, "other") : "");
  return "";
}

// --- Requirements. -----------------------------------------------------------------------------

export interface Asked {
  value: string;
  kind: string;
  column: string;
}

/** The requirements under a key of `privacy`, in any of the forms of the spec that have one value. */
export function askedOfList(spec: Spec, key: string): Asked[] {
  const said = at(spec, "privacy", key);
  const list = Array.isArray(said) ? (said as readonly Tree[]) : said === undefined ? [] : [said];
  return list.map(askedOfOne).filter((a): a is Asked => a !== null);
}

/** The requirement about a column: the one that names it, or one that names none and is about all. */
export function askedOf(spec: Spec, key: string, column = ""): Asked | null {
  const all = askedOfList(spec, key);
  return all.find((a) => a.column === column) ?? all.find((a) => !a.column) ?? null;
}

function askedOfOne(said: Tree): Asked | null {
  if (typeof said === "string") return askedOfText(said);
  if (!isMap(said)) return null;
  const value = textAt(said, "value");
  const recursive = textAt(said, "kind", "recursive");
  const kind = recursive ? "recursive:" + recursive : textAt(said, "kind") || textAt(said, "distance");
  return value ? { value, kind, column: textAt(said, "column") } : null;
}

/** The spec with this asked for a sensitive column, in place of what was asked for it under the key; value "": nothing is. What
 *  names values of the column stays, as the page does not show it. */
export function withAsked(spec: Spec, key: string, asked: Asked): Spec {
  const said = at(spec, "privacy", key);
  const list = Array.isArray(said) ? (said as readonly Tree[]) : said === undefined ? [] : [said];
  const others = list.filter((one) => {
    const a = askedOfOne(one);
    return a ? a.column !== asked.column : true;
  });
  const one: Tree[] = asked.value ? [treeOfAsked(key, asked)] : [];
  const made = [...others, ...one];
  return withValue(spec, ["privacy", key], made.length === 0 ? undefined : made.length === 1 ? made[0] : made);
}

/** A mapping, since a column may have any name. */
function treeOfAsked(key: string, asked: Asked): Tree {
  const { value, kind, column } = asked;
  if (!kind && !column) return value;
  const recursive = kind.startsWith("recursive:") ? kind.slice(10) : "";
  const entries: [string, Tree][] = [["value", value]];
  if (recursive) entries.push(["kind", { recursive }]);
  else if (kind) entries.push([key === "t" ? "distance" : "kind", kind]);
  if (column) entries.push(["column", column]);
  return Object.fromEntries(entries);
}

/** "diagnosis=distinct:3": the value is what stands behind the last colon. */
function askedOfText(text: string): Asked {
  const equals = text.lastIndexOf("=");
  const rest = text.slice(equals + 1);
  const colon = rest.lastIndexOf(":");
  return { column: equals > 0 ? text.slice(0, equals) : "", kind: colon > 0 ? rest.slice(0, colon) : "", value: rest.slice(colon + 1) };
}

/** How many requirements stand under a key: what the page shows one of, the drawer shows all of. */
export function askedCount(spec: Spec, key: string): number {
  const said = at(spec, "privacy", key);
  return said === undefined ? 0 : Array.isArray(said) ? said.length : 1;
}

// --- Equality. ---------------------------------------------------------------------------------

/** A text of a tree that does not depend on the order of keys, and differs where trees differ. */
export function canonical(tree: Tree | undefined): string {
  if (Array.isArray(tree)) return "[" + tree.map((t) => canonical(t as Tree)).join(",") + "]";
  if (!isMap(tree)) return JSON.stringify(tree ?? null);
  const keys = Object.keys(tree).sort();
  return "{" + keys.map((k) => JSON.stringify(k) + ":" + canonical(tree[k])).join(",") + "}";
}

/** A short print of a spec: two runs of FNV-1a over its canonical text. It only tells results apart, it protects nothing. */
export function print(spec: Spec): string {
  const text = canonical(spec);
  let a = 0x811c9dc5;
  let b = 0x2f0b4f6d;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return [a, b].map((n) => (n >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The places where two specs differ, in words: "role of age", "privacy k". */
export function differences(a: Spec, b: Spec): string[] {
  const found: string[] = [];
  for (const name of new Set([...columnsOf(a), ...columnsOf(b)])) {
    const [x, y] = [columnOf(a, name), columnOf(b, name)];
    for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) {
      if (canonical(at(x, key)) !== canonical(at(y, key))) found.push(`${key} of ${name}`);
    }
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (key === "columns") continue;
    const [x, y] = [at(a, key), at(b, key)];
    if (canonical(x) === canonical(y)) continue;
    const inner = new Set([...(isMap(x) ? Object.keys(x) : []), ...(isMap(y) ? Object.keys(y) : [])]);
    if (!inner.size) found.push(key);
    for (const k of inner) if (canonical(at(x, k)) !== canonical(at(y, k))) found.push(`${key} ${k}`);
  }
  return found;
}
