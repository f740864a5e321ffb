// What went wrong, beside what caused it; and what is out of date.
import type { ComponentChildren } from "preact";
import type { Mistake } from "../api";
import { mistakesAt } from "../session";

export function Mistakes({ of }: { of: readonly Mistake[] }) {
  if (!of.length) return null;
  return (
    <div role="alert">
      <ul class="mistakes">
        {of.map((m) => (
          <li>
            {placeWords(m)}
            <bdi>{m.message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where a mistake is, in words. */
export function placeWords(m: Mistake): string {
  const parts: string[] = [];
  if (m.line) parts.push(`line ${m.line}`);
  if (m.line && m.column) parts.push(`byte ${m.column}`);
  if (!m.line && typeof m.record === "number" && m.record >= 0) parts.push(`record ${m.record + 1}`);
  if (!m.line && typeof m.field === "number" && m.field >= 0) parts.push(`column ${m.field + 1}`);
  return parts.length ? parts.join(", ") + ": " : "";
}

/** Mistakes of the spec at a place. */
export function MistakesAt({ path }: { path: readonly string[] }) {
  return <Mistakes of={mistakesAt(...path)} />;
}

export function Banner({ kind, children }: { kind: "stale" | "warn" | "bad" | "good" | "info"; children: ComponentChildren }) {
  return <div class={"banner " + kind}>{children}</div>;
}
