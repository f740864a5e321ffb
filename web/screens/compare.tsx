// Compare: many releases by what they reveal and lose, and two of them side by side.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Refused, call, type Job, type Mistake, type PointEvent } from "../api";
import { FrontierChart, DataTable, number, percent, type Mark } from "../parts/chart";
import { Help } from "../parts/help";
import { JobBar } from "../parts/job";
import { Mistakes } from "../parts/notes";
import { columns, inspected, jobOf, lastOf, ofThisFile, points, reportOf, run, running, same, session, specsOf, spoken, trials, unconfirmed } from "../session";
import { columnsOf, isMap, roleOf, textAt, withRole, withValue, type Spec, type Tree } from "../spec_tree";
import { change, spec } from "../store";
import { K_STEPS, obstacles, promises } from "../words";
import { SideBySide } from "./side_by_side";

interface Point {
  requirement: string;
  asks?: string;
  method: string;
  state?: string;
  reason?: string;
  shape?: string;
  smallest_class?: number;
  frontier?: boolean;
  recommended?: boolean;
  [figure: string]: unknown;
}

interface FrontierReport {
  axes: string[];
  points: Point[];
  recommended_because?: string;
}

const AXES: Record<string, { words: string; help: "risk" | "gcp" | "privacy_loss" | "utility_loss" }> = {
  highest_risk: { words: "chance to be found, at most", help: "risk" },
  gcp: { words: "information lost", help: "gcp" },
  privacy_loss: { words: "what a group reveals, at worst", help: "privacy_loss" },
  utility_loss: { words: "what can no longer be told", help: "utility_loss" },
};

const LIMITS: [string, string][] = [["", "none"], ["0.05", "5 %, 1 in 20"], ["0.09", "9 %, as medicines agencies ask"], ["0.2", "20 %, 1 in 5"], ["0.34", "a third"]];

/** How one compares; not part of the spec of the release. */
const how = signal({ axes: "risk", limit: "0.09", methods: ["topdown", "mondrian", "best:effort=fast"] });
/** What stands side by side: jobs of releases, or points that are being made. */
const picks = signal<readonly string[]>([]);
const made = signal<Readonly<Record<string, string>>>({});

/** The spec of a sweep: k from small to a tenth of the people, with a sensitive column also how mixed groups are. */
export function sweepSpec(s: Spec, people: number, mostL: number, choice: { axes: string; limit: string; methods: readonly string[] }): Spec {
  const sensitive = withRole(s, ["sensitive"]).length > 0;
  const k = K_STEPS.filter((n) => n <= Math.max(5, people / 10)).map(String);
  const l = sensitive ? ["2", "3"].filter((n) => Number(n) <= mostL) : [];
  const axes = choice.axes === "values" && sensitive ? ["privacy_loss", "utility_loss"] : ["highest_risk", "gcp"];
  const sweep: Tree = l.length ? { k, l } : { k };
  const base = withValue(s, ["frontier"], undefined);
  // The sweep varies how many look alike; the other requirements of the spec stay. Without one of l, k goes along with it.
  let frontier: Tree = { sweep, methods: [...choice.methods], axes };
  if (choice.limit) frontier = { ...frontier, max: { highest_risk: choice.limit } };
  return withValue(base, ["frontier"], frontier);
}

function presentSweep(): Spec {
  const person = withRole(spec.value, ["person"])[0];
  const people = columns.value.find((c) => c.name === person)?.distinct ?? session.value?.table?.records ?? 0;
  const can = (inspected.value?.columns ?? []).filter((c) => roleOf(spec.value, c.name) === "sensitive").map((c) => c.satisfiable?.l?.frequency ?? 1);
  return sweepSpec(spec.value, people, Math.min(...can, Infinity), how.value);
}

/** Whether what was compared is of the spec as it is now; null: nothing was. */
export function isCompared(): boolean | null {
  const last = lastOf("frontier");
  return last ? !!specsOf.value[last.id] && same(specsOf.value[last.id]!, presentSweep()) : null;
}

export function CompareScreen() {
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const job = running.value?.kind === "frontier" ? running.value : undefined;
  const wanted = presentSweep();
  const last = job ?? lastOf("frontier");
  const isFresh = !!last && !!specsOf.value[last.id] && same(specsOf.value[last.id]!, wanted);
  const missing = obstacles(spec.value, unconfirmed.value).filter((o) => o.step === "columns");
  const sensitive = withRole(spec.value, ["sensitive"]).length > 0;
  const start = () => {
    setMistakes([]);
    run("frontier", {}, presentSweep())
      .then((ended) => ended.error && setMistakes([ended.error]))
      .catch((e) => setMistakes(e instanceof Refused ? (e.mistakes.length ? e.mistakes : [e.error]) : [{ status: "", message: String(e) }]));
  };
  return (
    <section>
      <h1>Compare</h1>
      <p>
        How much information does privacy cost on this file? Many releases are made and thrown away again. <Help term="frontier" />
      </p>
      <div class="row">
        {sensitive && (
          <label>
            Look at{" "}
            <select value={how.value.axes} onChange={(e) => (how.value = { ...how.value, axes: e.currentTarget.value })}>
              <option value="risk">who can be found, and what is lost</option>
              <option value="values">what groups reveal, and what can no longer be told</option>
            </select>
          </label>
        )}
        <label>
          Recommend one with a chance to be found of at most{" "}
          <select value={how.value.limit} onChange={(e) => (how.value = { ...how.value, limit: e.currentTarget.value })}>
            {LIMITS.map(([value, words]) => (
              <option value={value}>{words}</option>
            ))}
          </select>
        </label>
        <button type="button" class="primary" disabled={missing.length > 0 || !!job} aria-describedby={missing.length ? "why-not-compare" : undefined} onClick={start}>
          {last && isFresh ? "Compare again" : "Compare releases"}
        </button>
        {missing.length > 0 && (
          <span id="why-not-compare">
            {missing.map((m) => m.words).join(" ")} <a href="#/columns">To the columns.</a>
          </span>
        )}
      </div>
      {job && <JobBar job={job} name="Comparing" />}
      <Mistakes of={mistakes} />
      {last && !isFresh && !job && (
        <div class="banner stale">
          <span>
            <strong>Out of date.</strong> The spec has changed since these releases were compared.
          </span>
        </div>
      )}
      {last && <Picture job={last} isFresh={isFresh} key={last.id} />}
      <Runs />
      <Pair />
    </section>
  );
}

function markOf(p: Point | PointEvent, key: string, axes: readonly string[]): Mark | null {
  const figures = (isMap((p as PointEvent).figures as unknown as Tree) ? (p as PointEvent).figures : p) as Record<string, unknown>;
  const x = figures[axes[0]!];
  const y = figures[axes[1]!];
  if (typeof x !== "number" || typeof y !== "number") return null;
  const words = `${(p as Point).asks ?? p.requirement} by ${p.method}: ${AXES[axes[0]!]?.words} ${percent(x)}, ${AXES[axes[1]!]?.words} ${percent(y)}, smallest group ${number(p.smallest_class ?? 0)}`;
  return { key, x, y, requirement: p.requirement, method: p.method, words, isRecommended: !!(p as Point).recommended };
}

function Picture({ job, isFresh }: { job: Job; isFresh: boolean }) {
  const [report, setReport] = useState<FrontierReport | null>(null);
  useEffect(() => {
    if (job.state === "done") reportOf<FrontierReport>(job.id).then(setReport, () => {});
  }, [job.id, job.state]);
  const arrived = points.value[job.id] ?? [];
  const sweep = specsOf.value[job.id]?.frontier;
  const axes = report?.axes ?? (isMap(sweep) && Array.isArray(sweep.axes) ? sweep.axes.map(String) : ["highest_risk", "gcp"]);
  const marks = (report?.points ?? arrived).map((p, i) => markOf(p, report ? `p:${job.id}:${i}` : `e:${i}`, axes)).filter((m): m is Mark => m !== null);
  const best = report?.points.findIndex((p) => p.recommended) ?? -1;
  const recommended = best >= 0 ? report!.points[best] : undefined;
  const impossible = (report?.points ?? []).filter((p) => p.state && p.state !== "done");
  const choose = (key: string) => {
    if (!key.startsWith("p:")) return;
    picks.value = picks.value.includes(key) ? picks.value.filter((k) => k !== key) : [...picks.value, key].slice(-2);
  };
  if (!marks.length && !report) return <p class="quiet">The first points are on their way.</p>;
  return (
    <div class={isFresh ? "" : "stale-part"}>
      <FrontierChart marks={marks} xTitle={AXES[axes[0]!]?.words ?? axes[0]!} yTitle={AXES[axes[1]!]?.words ?? axes[1]!} chosen={picks.value} choose={choose} />
      {recommended && (
        <div class="banner good">
          <span>
            <strong>Recommended:</strong> {recommended.asks ?? recommended.requirement} by {recommended.method}. Of all releases within the limit it loses least on the other axis; it has a ring.
          </span>
          <button type="button" onClick={() => void adopt(job, best)}>
            Use this one
          </button>
          <button type="button" onClick={() => choose(`p:${job.id}:${best}`)}>
            {picks.value.includes(`p:${job.id}:${best}`) ? "Not side by side" : "Side by side"}
          </button>
        </div>
      )}
      {report && !recommended && how.value.limit && job.state === "done" && <div class="banner info">None of these releases is within the limit.</div>}
      {report && (
        <details>
          <summary>
            All {report.points.length} points, to choose from{impossible.length ? `; ${impossible.length} could not be made` : ""}
          </summary>
          <div class="scroll-x" tabIndex={0} role="group" aria-label="points of the comparison">
            <table>
              <thead>
                <tr>
                  <th scope="col">side by side</th>
                  <th scope="col">asked</th>
                  <th scope="col">method</th>
                  <th scope="col" class="number">
                    {AXES[axes[0]!]?.words}
                  </th>
                  <th scope="col" class="number">
                    {AXES[axes[1]!]?.words}
                  </th>
                  <th scope="col" class="number">
                    smallest group
                  </th>
                  <th scope="col" />
                </tr>
              </thead>
              <tbody>
                {report.points.map((p, i) => {
                  const key = `p:${job.id}:${i}`;
                  const isDone = !p.state || p.state === "done";
                  return (
                    <tr>
                      <td>{isDone && <input type="checkbox" aria-label={`${p.asks ?? p.requirement} by ${p.method}, side by side`} checked={picks.value.includes(key)} onChange={() => choose(key)} />}</td>
                      <td>{p.asks ?? p.requirement}</td>
                      <td>{p.method}</td>
                      {isDone ? (
                        <>
                          <td class="number">{figureWords(p[axes[0]!])}</td>
                          <td class="number">{figureWords(p[axes[1]!])}</td>
                          <td class="number">{number(p.smallest_class ?? 0)}</td>
                          <td>
                            <button type="button" aria-label={`Use ${p.asks ?? p.requirement} by ${p.method}`} onClick={() => void adopt(job, i)}>
                              Use
                            </button>
                          </td>
                        </>
                      ) : (
                        <td colSpan={4}>
                          <bdi>{p.reason || p.state}</bdi>
                        </td>
                      )}
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        </details>
      )}
      {!report && <DataTable head={["asked", "method", AXES[axes[0]!]?.words ?? "", AXES[axes[1]!]?.words ?? ""]} rows={marks.map((m) => [m.requirement, m.method, percent(m.x), percent(m.y)])} />}
    </div>
  );
}

const figureWords = (value: unknown): string => (typeof value === "number" ? percent(value) : "–");

async function specOfPoint(job: string, index: number): Promise<Spec | null> {
  const all = await call<{ points: { point: number; spec: Spec }[] }>("GET", `/jobs/${job}/points`);
  return (all.points.find((p) => p.point === index) ?? all.points[index])?.spec ?? null;
}

/** Take over what a point asks for; the next release is the very one of the point. */
async function adopt(job: Job, index: number): Promise<void> {
  const point = await specOfPoint(job.id, index);
  if (!point) return;
  change("Taken from the comparison", withValue(point, ["frontier"], undefined));
  spoken.value = "Taken over. The release screen makes it.";
  location.hash = "#/release";
}

// --- Runs that are kept, and two side by side. -----------------------------------------------------

function Runs() {
  const runs = ofThisFile.value.filter((j) => j.kind === "anonymize" && j.state === "done");
  if (!runs.length) return null;
  const choose = (key: string) => (picks.value = picks.value.includes(key) ? picks.value.filter((k) => k !== key) : [...picks.value, key].slice(-2));
  return (
    <>
      <h2>Releases made so far</h2>
      <ul class="files">
        {runs.map((j) => (
          <li>
            <label>
              <input type="checkbox" checked={picks.value.includes("j:" + j.id)} onChange={() => choose("j:" + j.id)} />
              <bdi>{runWords(j)}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

function runWords(job: Job): string {
  const s = specsOf.value[job.id];
  return `${job.id}: ${s && columnsOf(s).length ? titleOf(job.id) : "a release of another page"}`;
}

function Pair() {
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  useEffect(() => {
    void (async () => {
      for (const key of picks.value) {
        if (!key.startsWith("p:") || made.value[key]) continue;
        const [, job, index] = key.split(":");
        try {
          const point = await specOfPoint(job!, Number(index));
          if (!point) continue;
          const ended = await run("anonymize", {}, withValue(point, ["frontier"], undefined));
          trials.value = new Set([...trials.value, ended.id]);
          if (ended.state === "done") made.value = { ...made.value, [key]: ended.id };
          else if (ended.error) setMistakes([ended.error]);
        } catch (e) {
          setMistakes([e instanceof Refused ? e.error : { status: "", message: String(e) }]);
        }
      }
    })();
  }, [picks.value.join()]);
  const ids = picks.value.map((key) => (key.startsWith("j:") ? key.slice(2) : made.value[key]));
  const ready = ids.filter((id): id is string => !!id && !!jobOf(id));
  if (!picks.value.length) return <p class="quiet">Choose two releases, in the picture or in the lists, to see them side by side.</p>;
  return (
    <>
      <h2>Side by side</h2>
      <Mistakes of={mistakes} />
      {picks.value.length === 1 && <p class="quiet">Choose a second one to compare it with.</p>}
      {ready.length < picks.value.length && running.value && <JobBar job={running.value} name="Making it for real" />}
      {ready.length > 0 && <SideBySide jobs={ready} titles={ready.map((id, i) => `${"AB"[i]}: ${titleOf(id)}`)} />}
    </>
  );
}

/** "By mondrian." */
function methodOf(s: Spec): string {
  const method = (textAt(s, "method") || textAt(s, "method", "name") || "best").replace(/:.*/, "");
  const effort = textAt(s, "effort");
  return `By ${method}${effort ? `, ${effort}` : ""}.`;
}

function titleOf(id: string): string {
  const s = specsOf.value[id];
  if (!s) return id;
  return [...promises(s), methodOf(s)].join(" ");
}
