// Two releases beside each other: figures, loss per column, how values are spread, and the same records before and after.
import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type ColumnFacts, type Rows } from "../api";
import { Name } from "../parts/cell_text";
import { BeforeAfter, number, percent, type Bar } from "../parts/chart";
import { Grid } from "../parts/grid";
import type { ReleaseReport } from "../release_report";
import { reportOf, run, session, specsOf } from "../session";
import { roleOf } from "../spec_tree";
import { spec } from "../store";

interface Side {
  id: string;
  title: string;
  report: ReleaseReport | null;
  columns: readonly ColumnFacts[];
}

export function SideBySide({ jobs, titles }: { jobs: readonly string[]; titles: readonly string[] }) {
  const [sides, setSides] = useState<readonly Side[]>([]);
  const [column, setColumn] = useState("");
  useEffect(() => {
    let isGone = false;
    void Promise.all(
      jobs.map(async (id, i) => ({
        id,
        title: titles[i] ?? id,
        report: await reportOf<ReleaseReport>(id).catch(() => null),
        columns: await call<{ columns: ColumnFacts[] }>("GET", `/jobs/${id}/columns`).then((a) => a.columns, () => []),
      })),
    ).then((made) => isGone || setSides(made));
    return () => {
      isGone = true;
    };
  }, [jobs.join()]);
  const names = sides[0]?.report?.columns.map((c) => c.name) ?? [];
  const shown = column || names[0] || "";
  return (
    <>
      <FiguresTable sides={sides} />
      {names.length > 0 && (
        <>
          <h3>Loss per column</h3>
          <div class="pair">
            {sides.map((side) => (
              <div>
                <strong>
                  <bdi>{side.title}</bdi>
                </strong>
                <div class="loss">
                  {(side.report?.columns ?? []).map((c) => (
                    <>
                      <Name of={c.name} />
                      <svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={`loss of ${c.name}: ${percent(c.loss)}`}>
                        <rect width={Math.min(100, c.loss * 100)} height={10} />
                      </svg>
                      <span>{percent(c.loss)}</span>
                    </>
                  ))}
                </div>
              </div>
            ))}
          </div>
          <h3>How values are spread</h3>
          <label>
            Column{" "}
            <select value={shown} onChange={(e) => setColumn(e.currentTarget.value)}>
              {[...new Set(sides.flatMap((s) => s.columns.filter((c) => c.after).map((c) => c.name)))].map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          </label>
          <div class="pair">
            {sides.map((side) => {
              const facts = side.columns.find((c) => c.name === shown);
              return <div>{facts ? <BeforeAfter title={`${side.title}`} bars={barsOf(facts)} /> : <p class="quiet">Not in this release.</p>}</div>;
            })}
          </div>
          <p class="quiet">Grey: in the original. Blue: as readers of the release would guess.</p>
        </>
      )}
      <RowsSide sides={sides} />
    </>
  );
}

/** Bins of numbers, or the most frequent texts of either side. */
export function barsOf(facts: ColumnFacts): Bar[] {
  const after = facts.after;
  if (facts.bins) {
    const counts = Array.isArray(after) ? (after as unknown[]) : ((after as { counts?: number[] } | null)?.counts ?? []);
    return facts.bins.counts.map((before, i) => ({ label: `${facts.bins!.from[i]} to ${facts.bins!.to[i]}`, before, after: Number(counts[i] ?? 0) }));
  }
  const list = (Array.isArray(after) ? after : ((after as { top?: [string | null, number][] } | null)?.top ?? [])) as [string | null, number][];
  const released = new Map(list.map(([value, count]) => [value ?? "missing", count] as const));
  const before = new Map((facts.top ?? []).map(([value, count]) => [value ?? "missing", count] as const));
  const labels = [...new Set([...before.keys(), ...released.keys()])].slice(0, 20);
  return labels.map((label) => ({ label, before: before.get(label) ?? 0, after: released.get(label) ?? 0 }));
}

function FiguresTable({ sides }: { sides: readonly Side[] }) {
  const rows: [string, (r: ReleaseReport) => string][] = [
    ["information lost", (r) => (r.gcp === null ? "–" : percent(r.gcp))],
    ["smallest group", (r) => (r.fewest_persons !== undefined ? `${number(r.fewest_persons)} people` : `${number(r.smallest_class)} records`)],
    ["groups", (r) => number(r.classes)],
    ["chance to be found, at most", (r) => (r.risk ? percent(r.risk.release.prosecutor.highest) : "–")],
    ["chance to be found, on average", (r) => (r.risk ? percent(r.risk.release.prosecutor.mean) : "–")],
    ["records given up", (r) => number(r.suppression?.records ?? 0)],
    ["warnings", (r) => number(r.warnings.filter((w) => !w.accepted).length)],
    ["error of counting queries, on average", (r) => (r.queries?.[0] ? percent(r.queries[0].query_error) : "–")],
  ];
  return (
    <div class="scroll-x" tabIndex={0} role="group" aria-label="figures of the releases">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">figure</span>
            </th>
            {sides.map((s) => (
              <th scope="col">
                <bdi>{s.title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([words, of]) => (
            <tr>
              <th scope="row">{words}</th>
              {sides.map((s) => (
                <td class="number">{s.report ? of(s.report) : "…"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PairRows {
  from: number;
  total: number;
  columns: string[];
  rows: { record: number; class?: number; before: (string | null)[]; after: (string | null)[] }[];
}

/** The same records before, and as each release shows them, sharing one place. */
function RowsSide({ sides }: { sides: readonly Side[] }) {
  const [pairs, setPairs] = useState<readonly { id: string; total: number; columns: string[] }[]>([]);
  const share = useMemo(() => signal(0), []);
  const ids = sides.map((s) => s.id).join();
  useEffect(() => {
    let isGone = false;
    void (async () => {
      const made: { id: string; total: number; columns: string[] }[] = [];
      for (const side of sides) {
        // They come in the order of the original, so a row of one release is the same record as that row of the other.
        const base = specsOf.value[side.id] ?? spec.value;
        const job = await run("pairs", { of: side.id }, base);
        if (job.state !== "done") continue;
        const first = await call<PairRows>("GET", `/jobs/${job.id}/rows?from=0&count=1`);
        const released = first.columns.filter((name) => ["quasi", "sensitive", "insensitive"].includes(roleOf(base, name)));
        made.push({ id: job.id, total: first.total, columns: released.length ? released : first.columns });
      }
      if (!isGone) setPairs(made);
    })().catch(() => {});
    return () => {
      isGone = true;
    };
  }, [ids]);
  if (!pairs.length) return null;
  const fetchOf = (id: string, which: "before" | "after", names: readonly string[]) => async (from: number, count: number, signal: AbortSignal): Promise<Rows> => {
    const answer = await call<PairRows>("GET", `/jobs/${id}/rows?from=${from}&count=${count}`, undefined, signal);
    const at = names.map((name) => answer.columns.indexOf(name));
    const rows = answer.rows.map((r) => at.map((c) => r[which][c] ?? null));
    return { from, total: answer.total, columns: [...names], rows, lines: answer.rows.map((r) => r.record + 1), cut: [] };
  };
  const first = pairs[0]!;
  return (
    <>
      <h3>The same records, before and after</h3>
      <div class="pair triple">
        <div>
          <strong>before</strong>
          <Grid id="before" label={`Records before, of ${session.value?.source?.name}`} total={first.total} columns={first.columns} version={first.id} fetch={fetchOf(first.id, "before", first.columns)} share={share} />
        </div>
        {pairs.map((p, i) => (
          <div>
            <strong>
              <bdi>{sides[i]?.title}</bdi>
            </strong>
            <Grid id={"after-" + p.id} label={`The same records in ${sides[i]?.title}`} total={p.total} columns={p.columns} version={p.id} fetch={fetchOf(p.id, "after", p.columns)} share={share} />
          </div>
        ))}
      </div>
    </>
  );
}
