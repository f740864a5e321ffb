// The help texts, one file for each term: a title, a few sentences, and where the manual tells more.
import alpha from "./alpha.md";
import command from "./command.md";
import date_format from "./date_format.md";
import decimal from "./decimal.md";
import delimiter from "./delimiter.md";
import effort from "./effort.md";
import encoding from "./encoding.md";
import external from "./external.md";
import frontier from "./frontier.md";
import gcp from "./gcp.md";
import grid from "./grid.md";
import hierarchy from "./hierarchy.md";
import k from "./k.md";
import l from "./l.md";
import method from "./method.md";
import missing from "./missing.md";
import missing_action from "./missing_action.md";
import numeric from "./numeric.md";
import person from "./person.md";
import privacy_loss from "./privacy_loss.md";
import risk from "./risk.md";
import role from "./role.md";
import seed from "./seed.md";
import skip_lines from "./skip_lines.md";
import strict from "./strict.md";
import suppress from "./suppress.md";
import t from "./t.md";
import thousands from "./thousands.md";
import type from "./type.md";
import unique from "./unique.md";
import utility_loss from "./utility_loss.md";
import warnings from "./warnings.md";
import weight from "./weight.md";

const TEXTS = {
  alpha, command, date_format, decimal, delimiter, effort, encoding, external, frontier, gcp, grid, hierarchy, k, l, method, missing, missing_action,
  numeric, person, privacy_loss, risk, role, seed, skip_lines, strict, suppress, t, thousands, type, unique, utility_loss, warnings, weight,
};

export type Term = keyof typeof TEXTS;
export const TERMS = Object.keys(TEXTS) as Term[];

export interface Told {
  title: string;
  paragraphs: string[];
  /** The page of the manual, such as "choosing.md#k". */
  docs: string;
}

export function told(term: Term): Told {
  const lines = TEXTS[term].split("\n").map((line) => line.trim()).filter(Boolean);
  const docs = lines.find((line) => line.startsWith("docs: "))?.slice(6) ?? "";
  return { title: (lines[0] ?? "").replace(/^# /, ""), paragraphs: lines.slice(1).filter((line) => !line.startsWith("docs: ")), docs };
}
