// Plain words: what roles are, and each requirement as one sentence.
import { askedOfList, at, columnsOf, roleOf, textAt, type Asked, type Spec } from "./spec_tree";

export interface RoleWords {
  role: string;
  /** In a list to choose from. */
  choice: string;
  /** In a chip. */
  short: string;
  icon: string;
}

export const ROLES: readonly RoleWords[] = [
  { role: "", choice: "not decided: left out", short: "left out", icon: "–" },
  { role: "identifier", choice: "yes: it names one person", short: "names a person", icon: "⊘" },
  { role: "person", choice: "yes: it tells whose record it is", short: "whose record", icon: "⚭" },
  { role: "quasi", choice: "yes, somebody could know this", short: "could be known", icon: "◉" },
  { role: "sensitive", choice: "no, but they would like to learn it", short: "to be protected", icon: "◆" },
  { role: "insensitive", choice: "no, and it is harmless", short: "harmless", icon: "○" },
];

export function roleWords(role: string): RoleWords {
  return ROLES.find((r) => r.role === role) ?? ROLES[0]!;
}

export const TYPES: readonly [string, string][] = [
  ["", "as found"], ["integer", "whole numbers"], ["real", "numbers"], ["date", "dates"], ["string", "texts"],
];

export function typeWords(type: string): string {
  return TYPES.find(([t]) => t === type)?.[1] ?? type;
}

/** One sentence for a requirement; `who` is "people" where persons are counted, else "records". */
export function sentence(key: string, asked: Asked, who: "people" | "records"): string {
  const { value, kind } = asked;
  const n = Number(value);
  const column = asked.column ? `“${asked.column}”` : "what is to be protected";
  if (key === "k") {
    if (!(n > 1)) return "Nobody needs to look like anybody else.";
    const others = n - 1;
    return who === "people"
      ? `Everybody looks like at least ${others} ${others === 1 ? "other person" : "other people"}.`
      : `Everybody looks like at least ${others} ${others === 1 ? "other" : "others"}.`;
  }
  if (key === "l" && kind === "distinct") return `Every group has at least ${value} different values of ${column}.`;
  if (key === "l" && kind === "entropy") return `The values of ${column} are as mixed in every group as ${value} equally frequent ones.`;
  if (key === "l" && kind.startsWith("recursive")) return `The most frequent value of ${column} does not stand out in any group (recursive, ${kind.slice(10)}, ${value}).`;
  if (key === "l") return `In no group do more than 1 in ${value} share the same value of ${column}.`;
  if (key === "t") return `In every group the values of ${column} are spread nearly as in the whole file (distance at most ${value}).`;
  if (key === "alpha") return `In no group does one value of ${column} have more than ${percentWords(n)} of the ${who}.`;
  if (key === "delta") return `In no group is a value of ${column} much more or less frequent than in the whole file (δ ${value}).`;
  if (key === "beta") return `Nobody learns much more about ${column} than the whole file tells (β ${value}).`;
  if (key === "k_map") return `Everybody looks like at least ${n - 1} others of the population.`;
  if (key === "presence") return `Nobody can tell with more than ${percentWords(n)} that somebody is in the file.`;
  return `${key} ${value}`;
}

const percentWords = (share: number): string => (share * 100).toLocaleString("en", { maximumFractionDigits: 1 }) + " %";

export const REQUIREMENTS = ["k", "l", "t", "alpha", "delta", "beta", "k_map", "presence"] as const;

/** All that a spec promises, a sentence each. */
export function promises(spec: Spec): string[] {
  const who = columnsOf(spec).some((c) => roleOf(spec, c) === "person") ? "people" : "records";
  const said = REQUIREMENTS.flatMap((key) => askedOfList(spec, key).map((asked) => sentence(key, asked, who)));
  const suppress = Number(textAt(spec, "suppress") || 0);
  if (suppress > 0) said.push(`Up to ${percentWords(suppress)} of the records may be given up for that.`);
  if (at(spec, "privacy", "k", "column")) said.push(`Each record asks for as many as its column “${textAt(spec, "privacy", "k", "column")}” says.`);
  return said;
}

/** What keeps a spec from being run, in the order of the screens; empty: nothing does. */
export function obstacles(spec: Spec, unconfirmed: number): { step: "columns" | "privacy"; words: string }[] {
  const found: { step: "columns" | "privacy"; words: string }[] = [];
  const roles = columnsOf(spec).map((c) => roleOf(spec, c));
  if (!roles.includes("quasi")) found.push({ step: "columns", words: "There is no column that others could know." });
  if (unconfirmed) found.push({ step: "columns", words: `${unconfirmed} ${unconfirmed === 1 ? "role is a guess" : "roles are guesses"} that nobody has confirmed.` });
  if (!REQUIREMENTS.some((key) => askedOfList(spec, key).length) && !at(spec, "privacy", "k")) {
    found.push({ step: "privacy", words: "It is not said how many people must look alike." });
  }
  return found;
}

/** Coarse steps up to what can be met. */
export function stepsUpTo(steps: readonly number[], most: number): number[] {
  return steps.filter((s) => s <= most + 1e-9);
}

export const K_STEPS = [2, 3, 5, 8, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000];
export const L_STEPS = [1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20];
export const T_STEPS = [0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05];
export const SUPPRESS_STEPS = [0, 0.01, 0.02, 0.05, 0.1, 0.2];
