// The one spec and its history.
//
// Undo is a list of changes, each with the spec before and after it and a word for people. A result is stale exactly when the print
// of the spec that it was made with is not that of the spec in force.
import { computed, signal } from "@preact/signals";
import { EMPTY, canonical, isMap, print, type Spec } from "./spec_tree";

export interface Change {
  readonly label: string;
  readonly before: Spec;
  readonly after: Spec;
}

export const MOST_CHANGES = 200;

const changes = signal<readonly Change[]>([]);
/** How many of the changes are in force; those behind them can be done again. */
const done = signal(0);
const base = signal<Spec>(EMPTY);

export const spec = computed<Spec>(() => changes.value[done.value - 1]?.after ?? base.value);
export const specPrint = computed(() => print(spec.value));
export const history = computed(() => ({ changes: changes.value, done: done.value }));
export const canUndo = computed(() => done.value > 0);
export const canRedo = computed(() => done.value < changes.value.length);

/** Whether what is typed or dragged next is a change of its own. */
let isSealed = true;

/** End what is being typed or dragged: when another screen is opened, when a job starts. */
export function seal(): void {
  isSealed = true;
}

/** Put a new spec in force. Labels that end in "…" are of something typed or dragged: one change, not one for each key. What was
 *  undone before stays in the list until then, and cannot be done again after it. */
export function change(label: string, after: Spec): void {
  const before = spec.value;
  if (canonical(before) === canonical(after)) return;
  const kept = changes.value.slice(0, done.value);
  const last = kept[kept.length - 1];
  if (last && last.label === label && label.endsWith("…") && !isSealed) kept[kept.length - 1] = { label, before: last.before, after };
  else kept.push({ label, before, after });
  if (kept.length > MOST_CHANGES) base.value = kept.shift()!.after;
  isSealed = false;
  changes.value = kept;
  done.value = kept.length;
}

export function undo(): void {
  seal();
  if (canUndo.value) done.value -= 1;
}

export function redo(): void {
  seal();
  if (canRedo.value) done.value += 1;
}

/** Go to the state after so many changes. */
export function goTo(count: number): void {
  seal();
  done.value = Math.max(0, Math.min(changes.value.length, Math.floor(count)));
}

/** Begin anew, with another file: nothing of before can be undone into it. */
export function restart(start: Spec): void {
  base.value = start;
  changes.value = [];
  done.value = 0;
}

// --- Kept across a reload. -------------------------------------------------------------------

export interface Kept {
  base: Spec;
  changes: readonly Change[];
  done: number;
}

export function keep(): Kept {
  return { base: base.value, changes: changes.value, done: done.value };
}

/** Only what looks like a history is taken; false: it was not. */
export function restore(kept: unknown): boolean {
  const k = kept as Partial<Kept> | null | undefined;
  if (!k || !isMap(k.base) || !Array.isArray(k.changes) || typeof k.done !== "number") return false;
  if (!k.changes.every((c) => c && typeof c.label === "string" && isMap(c.before) && isMap(c.after))) return false;
  base.value = k.base;
  changes.value = k.changes;
  goTo(k.done);
  return true;
}
