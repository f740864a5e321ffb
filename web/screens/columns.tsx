// Columns: what each one is, why that was guessed, how unique it is, and how its values are grouped.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { ColumnFacts, Mistake } from "../api";
import { Name } from "../parts/cell_text";
import { Summary, number, percent } from "../parts/chart";
import { Help } from "../parts/help";
import { JobBar } from "../parts/job";
import { MistakesAt } from "../parts/notes";
import { routeText } from "../router";
import { columns, confirmed, inspected, reportOf, run, running, session, unconfirmed, type Guess } from "../session";
import { at, columnOf, columnsOf, hierarchyText, roleOf, textAt, withNewRole, withRole, withSaid, withValue, type Spec } from "../spec_tree";
import { change, spec } from "../store";
import { ROLES, TYPES, roleWords, typeWords } from "../words";
import { ColumnDetail } from "./column_detail";

const MOST_SHOWN = 300;

export function ColumnsScreen({ detail }: { detail: string }) {
  const [filter, setFilter] = useState("");
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const found = columns.value.filter((c) => c.name.toLowerCase().includes(filter.toLowerCase()));
  const guesses = new Map((inspected.value?.columns ?? []).map((g) => [g.name, g] as const));
  const open = columns.value.find((c) => c.name === detail);
  const confirm = (names: readonly string[]) => (confirmed.value = new Set([...confirmed.value, ...names]));
  const give = (names: readonly string[], role: string) => {
    change(`${names.length === 1 ? names[0] : names.length + " columns"}: ${roleWords(role).short}`, withNewRole(spec.value, names, role));
    confirm(names);
  };
  const pick = (name: string) => {
    const made = new Set(picked);
    if (!made.delete(name)) made.add(name);
    setPicked(made);
  };
  return (
    <section>
      <h1>Columns</h1>
      <p>
        <strong>Could somebody know this about a person?</strong> A neighbour, a colleague, whoever has another file: what they know is how they find somebody. <Help term="role" />
      </p>
      <Unique />
      {unconfirmed.value > 0 && (
        <div class="banner warn">
          <span>
            {unconfirmed.value} {unconfirmed.value === 1 ? "role is a guess" : "roles are guesses"}, with the reason beside it. Nothing is made of them before somebody has looked.
          </span>
          <button type="button" onClick={() => confirm(columns.value.map((c) => c.name))}>
            I have looked: they are right
          </button>
        </div>
      )}
      {withRole(spec.value, ["quasi"]).length === 0 && <div class="banner bad">There is no column that others could know: nothing would be hidden.</div>}
      {columns.value.length > 12 && (
        <label class="row">
          Find a column <input type="text" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        </label>
      )}
      {picked.size > 0 && (
        <div class="bulk row">
          <strong>{picked.size} columns:</strong>
          <label>
            all of them are{" "}
            <select value="-" onChange={(e) => e.currentTarget.value !== "-" && (give([...picked], e.currentTarget.value), setPicked(new Set()))}>
              <option value="-">…</option>
              {ROLES.filter((r) => r.role !== "person").map((r) => (
                <option value={r.role}>{r.choice}</option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setPicked(new Set())}>
            None
          </button>
        </div>
      )}
      <table class="columns-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">select</span>
            </th>
            <th scope="col">Column</th>
            <th scope="col">Values</th>
            <th scope="col">Could somebody know this?</th>
            <th scope="col">What it holds</th>
            <th scope="col">Groups</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, MOST_SHOWN).map((c) => (
            <Row
              facts={c}
              guess={guesses.get(c.name)}
              isOpen={c.name === detail}
              isPicked={picked.has(c.name)}
              pick={() => pick(c.name)}
              give={(role) => give([c.name], role)}
              confirm={() => confirm([c.name])}
            />
          ))}
        </tbody>
      </table>
      {found.length > MOST_SHOWN && <p class="quiet">{number(found.length - MOST_SHOWN)} more; find them by name.</p>}
      {open && <ColumnDetail facts={open} guess={guesses.get(open.name)} key={open.name} />}
      <p class="next">
        <a class="button primary" href="#/privacy">
          Next: how much privacy
        </a>
      </p>
    </section>
  );
}

function Row(props: { facts: ColumnFacts; guess: Guess | undefined; isOpen: boolean; isPicked: boolean; pick: () => void; give: (role: string) => void; confirm: () => void }) {
  const { facts, guess } = props;
  const role = roleOf(spec.value, facts.name);
  const isGuess = !!guess?.role_guessed && !confirmed.value.has(facts.name) && role !== "";
  const type = textAt(columnOf(spec.value, facts.name), "type");
  const records = Math.max(1, session.value?.table?.records ?? 1);
  const how = hierarchyText(spec.value, facts.name);
  return (
    <tr class={props.isOpen ? "open" : ""}>
      <td>
        <label>
          <input type="checkbox" checked={props.isPicked} onChange={props.pick} />
          <span class="hidden">select {facts.name}</span>
        </label>
      </td>
      <td>
        <a href={routeText({ step: "columns", detail: facts.name })}>
          <Name of={facts.name} />
        </a>
      </td>
      <td>
        <Summary facts={facts} />
        <span class="head-facts">
          {number(facts.distinct)} different{facts.missing ? `, ${percent(facts.missing / records)} missing` : ""}
          {guess?.unique_share ? <>, {percent(guess.unique_share)} unique</> : ""}
        </span>
      </td>
      <td>
        <span class={"role-icon " + (role || "none")} aria-hidden="true">
          {roleWords(role).icon}{" "}
        </span>
        <select aria-label={`Could somebody know ${facts.name}?`} class={role || "none"} value={role} onChange={(e) => props.give(e.currentTarget.value)}>
          {ROLES.map((r) => (
            <option value={r.role}>{r.choice}</option>
          ))}
        </select>
        {guess?.note && (
          <div class="reason">
            {isGuess && (
              <>
                <span class="guess">guess</span>{" "}
              </>
            )}
            <bdi>{guess.note}</bdi>{" "}
            {isGuess && (
              <button type="button" class="small" aria-label={`The role of ${facts.name} is right`} onClick={props.confirm}>
                right
              </button>
            )}
          </div>
        )}
        <MistakesAt path={["columns", facts.name]} />
      </td>
      <td>
        <select
          aria-label={`What ${facts.name} holds`}
          value={type}
          onChange={(e) => change(`${facts.name}: ${typeWords(e.currentTarget.value)}`, withSaid(spec.value, [facts.name], "type", e.currentTarget.value))}
        >
          {TYPES.map(([value, words]) => (
            <option value={value}>{value ? words : `as found: ${typeWords(facts.type)}`}</option>
          ))}
        </select>
      </td>
      <td>
        {role === "quasi" || role === "sensitive" ? (
          <a href={routeText({ step: "columns", detail: facts.name })}>
            <bdi>{how ? groupWords(how) : (type || facts.type) === "string" ? "all or nothing" : "ranges"}</bdi>
            <span class="hidden">, groups of {facts.name}</span>
          </a>
        ) : (
          <span class="quiet">–</span>
        )}
      </td>
    </tr>
  );
}

export function groupWords(how: string): string {
  if (how === "own") return "a tree of one's own";
  if (how === "flat") return "all or nothing";
  if (how.startsWith("prefix")) return "masked from the right";
  if (how === "dates") return "month, year, decade";
  if (how.startsWith("widths:")) return "steps of " + how.slice(7).replace(/@.*/, "").split(",").join(", ");
  if (how.startsWith("breaks:")) return "breaks at " + how.slice(7).split(";")[0];
  return how;
}

// --- Who is unique, counted while one chooses. -----------------------------------------------------

interface RiskReport {
  persons?: number;
  risk?: {
    original?: { records: number; uniques: number };
    combinations?: { riskiest?: { columns: string[]; uniques: number }[] };
  };
}
const counted = signal<{ of: string; report: RiskReport } | null>(null);
const countFailed = signal<readonly Mistake[]>([]);
const MOST_BY_ITSELF = 100_000;

/** What matters for who can be found: the columns and how they are read. */
export function riskSpec(s: Spec): Spec {
  let made: Spec = {};
  for (const name of columnsOf(s)) {
    const said = columnOf(s, name);
    for (const key of ["role", "type", "date_format", "decimal", "thousands", "round", "top", "bottom", "truncate"]) {
      if (key !== "role" || ["quasi", "sensitive", "person"].includes(textAt(said, "role"))) made = withSaid(made, [name], key, at(said, key));
    }
  }
  for (const key of ["input", "missing"]) made = withValue(made, [key], at(s, key));
  return made;
}

async function count(s: Spec, of: string): Promise<void> {
  const job = await run("risk", {}, s);
  if (job.state === "done") {
    counted.value = { of, report: await reportOf<RiskReport>(job.id) };
    countFailed.value = [];
  } else if (job.error) countFailed.value = [job.error];
}

function Unique() {
  const s = riskSpec(spec.value);
  const print = JSON.stringify(s);
  const quasi = withRole(spec.value, ["quasi"]);
  const records = session.value?.table?.records ?? 0;
  const isSmall = records <= MOST_BY_ITSELF;
  const isFresh = counted.value?.of === print;
  useEffect(() => {
    if (!isSmall || isFresh || !quasi.length) return undefined;
    const timer = setTimeout(() => void count(s, print).catch(() => {}), 600);
    return () => clearTimeout(timer);
  }, [print]);
  if (!quasi.length) return null;
  const job = running.value?.kind === "risk" ? running.value : null;
  const risk = counted.value?.report.risk;
  const original = risk?.original;
  return (
    <div class={"card" + (isFresh ? "" : " stale-part")} aria-live="polite">
      {original ? (
        <>
          <p class="promise">
            Today <strong>{percent(original.uniques / Math.max(1, original.records))}</strong> of the records can be told from all others by the {quasi.length}{" "}
            {quasi.length === 1 ? "column" : "columns"} that somebody could know.
          </p>
          {(risk?.combinations?.riskiest ?? []).length > 0 && (
            <p>
              These single out most:{" "}
              {risk!.combinations!.riskiest!.slice(0, 3).map((r, i) => (
                <span>
                  {i ? "; " : ""}
                  <bdi>{r.columns.join(" + ")}</bdi> ({number(r.uniques)})
                </span>
              ))}
              . <Help term="unique" />
            </p>
          )}
          {!isFresh && <p class="quiet">This was counted before the last change.</p>}
        </>
      ) : (
        <p class="quiet">How many people are unique is counted {isSmall ? "as you choose" : "when you ask"}.</p>
      )}
      {job && <JobBar job={job} name="Who can be found" />}
      {!isSmall && !isFresh && !job && (
        <button type="button" onClick={() => void count(s, print).catch(() => {})}>
          Count who is unique
        </button>
      )}
      {!isFresh &&
        countFailed.value.map((m) => (
          <p class="error">
            <bdi>{m.message}</bdi>
          </p>
        ))}
    </div>
  );
}
