// Privacy: what is promised, each requirement in one sentence, with what the file can meet at most.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Name } from "../parts/cell_text";
import { number, percent } from "../parts/chart";
import { Help } from "../parts/help";
import { Mistakes, MistakesAt } from "../parts/notes";
import { StepsSlider } from "../parts/steps_slider";
import { choices, columns, confirmed, inspected, jobs, mistakes, reportOf, run, session, unconfirmed, type InspectReport } from "../session";
import { askedOf, askedOfList, at, isMap, roleOf, textAt, withAsked, withNewRole, withRole, withValue } from "../spec_tree";
import { change, spec } from "../store";
import { riskSpec } from "./columns";
import { K_STEPS, L_STEPS, SUPPRESS_STEPS, T_STEPS, obstacles, promises, sentence, stepsUpTo } from "../words";

/** What the file can meet, by the roles it was counted with. */
const met = signal<{ of: string; report: InspectReport } | null>(null);
const MOST_BY_ITSELF = 200_000;

/** Count anew what can be met once roles are others than those the file was opened with: persons count, and columns are protected. */
function useWhatCanBeMet(): void {
  const roles = riskSpec(spec.value);
  const of = JSON.stringify(roles);
  const asGuessed = (inspected.value?.columns ?? []).every((c) => !["person", "sensitive"].some((r) => (roleOf(spec.value, c.name) === r) !== (c.role === r)));
  useEffect(() => {
    if (asGuessed || met.value?.of === of || (session.value?.table?.records ?? 0) > MOST_BY_ITSELF) return;
    run("inspect", {}, roles)
      .then(async (job) => {
        if (job.state === "done") met.value = { of, report: await reportOf<InspectReport>(job.id) };
      })
      .catch(() => {});
  }, [of]);
}

export function PrivacyScreen() {
  useWhatCanBeMet();
  const s = spec.value;
  const promised = promises(s);
  const sensitive = withRole(s, ["sensitive"]);
  const missing = obstacles(s, unconfirmed.value);
  const failed = [...jobs.value].reverse().find((j) => j.kind === "anonymize");
  return (
    <section>
      <h1>Privacy</h1>
      <div class="card">
        <h2>What is promised</h2>
        {promised.length ? (
          <ul class="promises">
            {promised.map((p) => (
              <li class="promise">
                <bdi>{p}</bdi>
              </li>
            ))}
          </ul>
        ) : (
          <p class="promise quiet">Nothing yet. Say how many people must look alike.</p>
        )}
        {failed?.state === "failed" && failed.error && <Mistakes of={[failed.error]} />}
      </div>
      <Mistakes of={mistakes.value.filter((m) => m.path?.[0] !== "columns" && m.path?.[0] !== "privacy")} />
      <People />
      <Alike />
      {sensitive.map((name) => (
        <Protected name={name} key={name} isOnly={sensitive.length === 1} />
      ))}
      {sensitive.length === 0 && (
        <div class="card">
          <p>No column is to be protected, so nothing is asked about what a group may give away.</p>
        </div>
      )}
      <GivenUp />
      <Advanced />
      {missing.length > 0 && (
        <ul>
          {missing.map((m) => (
            <li>
              {m.words} {m.step === "columns" && <a href="#/columns">To the columns</a>}
            </li>
          ))}
        </ul>
      )}
      <p class="next row">
        <a class="button" href="#/compare">
          Compare what it costs
        </a>
        <a class="button primary" href="#/release">
          Next: the release
        </a>
      </p>
    </section>
  );
}

function People() {
  const person = withRole(spec.value, ["person"])[0] ?? "";
  const set = (name: string) => {
    let made = person ? withNewRole(spec.value, [person], "identifier") : spec.value;
    if (name) made = withNewRole(made, [name], "person");
    change(name ? `${name} tells whose record it is` : "Each record is one person", made);
    confirmed.value = new Set([...confirmed.value, name, person].filter(Boolean));
  };
  return (
    <div class="card">
      <h2>
        Whose record is it? <Help term="person" />
      </h2>
      <label>
        {person ? "Promises count people, told by " : "Has a person several records? The column that tells whose it is: "}
        <select value={person} onChange={(e) => set(e.currentTarget.value)}>
          <option value="">none: each record is one person</option>
          {columns.value.slice(0, 500).map((c) => (
            <option value={c.name}>{c.name}</option>
          ))}
        </select>
      </label>
      {person && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={textAt(spec.value, "missing", "person") === "own"}
              onChange={(e) => change("Records without a person", withValue(spec.value, ["missing", "person"], e.currentTarget.checked ? "own" : undefined))}
            />
            A record without one is a person of its own
          </label>
        </p>
      )}
    </div>
  );
}

function Alike() {
  const k = askedOf(spec.value, "k")?.value ?? "";
  const person = withRole(spec.value, ["person"])[0];
  const facts = columns.value.find((c) => c.name === person);
  const most = facts ? facts.distinct : (session.value?.table?.records ?? 0);
  const who = person ? "people" : "records";
  const own = isMap(at(spec.value, "privacy", "k")) && !!at(spec.value, "privacy", "k", "column");
  return (
    <div class="card">
      <h2>
        How many look alike <Help term="k" />
      </h2>
      {own ? (
        <p>Each record asks for as many as one of its columns says. This is set in the spec.</p>
      ) : (
        <>
          <StepsSlider
            id="k"
            label={`At least so many ${who} look alike`}
            steps={stepsUpTo(K_STEPS, most)}
            value={k}
            none="not chosen"
            least={1}
            most={most}
            step={1}
            words={(n) => sentence("k", { value: String(n), kind: "", column: "" }, who)}
            set={(value) => change("How many look alike…", withValue(spec.value, ["privacy", "k"], value))}
          />
          {k && (
            <p class="promise">
              {sentence("k", { value: k, kind: "", column: "" }, who)}{" "}
              <span class="quiet">The chance to pick the right one is at most {percent(1 / Math.max(1, Number(k)))}.</span>
            </p>
          )}
        </>
      )}
      <MistakesAt path={["privacy", "k"]} />
    </div>
  );
}

function Protected({ name, isOnly }: { name: string; isOnly: boolean }) {
  const s = spec.value;
  const column = isOnly ? "" : name;
  const counted = met.value?.of === JSON.stringify(riskSpec(s)) ? met.value.report : inspected.value;
  const can = counted?.columns.find((c) => c.name === name)?.satisfiable;
  const l = askedOf(s, "l", column);
  const t = askedOf(s, "t", column);
  const alpha = askedOf(s, "alpha", column);
  const facts = columns.value.find((c) => c.name === name);
  const kind = l?.kind ?? "";
  const mostL = kind === "distinct" ? can?.l?.distinct : kind === "entropy" ? can?.l?.entropy : can?.l?.frequency;
  const most = Math.floor((mostL ?? facts?.distinct ?? 20) * 1000) / 1000;
  const who = withRole(s, ["person"]).length ? "people" : "records";
  const ask = (key: string, label: string, value: string, kindOf: string) => change(label, withAsked(spec.value, key, { value, kind: kindOf, column }));
  const others = ["delta", "beta"].flatMap((key) => askedOfList(s, key).filter((a) => !a.column || a.column === name).map((a) => sentence(key, a, who)));
  const leastAlpha = can?.alpha ?? 0;
  return (
    <div class="card">
      <h2>
        What a group may give away about <Name of={name} />
      </h2>
      <div class="row">
        <StepsSlider
          id={"l-" + name}
          label="Mixed so well"
          steps={stepsUpTo(L_STEPS, most)}
          value={l?.value ?? ""}
          none="not asked"
          least={1}
          most={most}
          words={(n) => `${number(n)}`}
          set={(value) => ask("l", `How mixed ${name} is…`, value, kind)}
        />
        <label>
          meaning{" "}
          <select value={kind.startsWith("recursive") ? "recursive" : kind} onChange={(e) => ask("l", `How mixed ${name} is`, l?.value ?? "2", e.currentTarget.value)} disabled={kind.startsWith("recursive")}>
            <option value="">no value is too frequent</option>
            <option value="distinct">so many different values</option>
            <option value="entropy">as mixed as so many</option>
            {kind.startsWith("recursive") && <option value="recursive">recursive</option>}
          </select>
        </label>
        <Help term="l" />
      </div>
      {l && (
        <p class="promise">
          <bdi>{sentence("l", { ...l, column: name }, who)}</bdi>
        </p>
      )}
      <MistakesAt path={["privacy", "l"]} />
      <details open={!!t || !!alpha}>
        <summary>More about what a group may give away</summary>
        <div class="row">
          <StepsSlider
            id={"t-" + name}
            label="Spread as in the whole file"
            steps={T_STEPS}
            value={t?.value ?? ""}
            none="not asked"
            least={0}
            words={(n) => `distance at most ${n}`}
            set={(value) => ask("t", `Spread of ${name}…`, value, t?.kind ?? "")}
          />
          <Help term="t" />
        </div>
        {t && (
          <p class="promise">
            <bdi>{sentence("t", { ...t, column: name }, who)}</bdi>
          </p>
        )}
        <MistakesAt path={["privacy", "t"]} />
        <div class="row">
          <StepsSlider
            id={"alpha-" + name}
            label="Share of one value"
            steps={[0.75, 0.5, 0.4, 0.3, 0.25, 0.2, 0.1, 0.05].filter((a) => a >= leastAlpha)}
            value={alpha?.value ?? ""}
            none="not asked"
            least={leastAlpha}
            words={(n) => `at most ${percent(n)}`}
            set={(value) => ask("alpha", `Share of one value of ${name}…`, value, "")}
          />
          <span class="quiet">{leastAlpha > 0 ? `${number(Math.ceil(leastAlpha * 1e4) / 1e4)} at least can be met` : ""}</span>
          <Help term="alpha" />
        </div>
        {alpha && (
          <p class="promise">
            <bdi>{sentence("alpha", { ...alpha, column: name }, who)}</bdi>
          </p>
        )}
        <MistakesAt path={["privacy", "alpha"]} />
      </details>
      {others.map((words) => (
        <p class="promise">
          <bdi>{words}</bdi>
        </p>
      ))}
    </div>
  );
}

function GivenUp() {
  const value = textAt(spec.value, "suppress");
  const action = textAt(spec.value, "missing", "action") || textAt(spec.value, "missing");
  const hasMissing = columns.value.some((c) => c.missing > 0 && withRole(spec.value, ["quasi"]).includes(c.name));
  return (
    <div class="card">
      <h2>
        Records given up <Help term="suppress" />
      </h2>
      <div class="row">
        <label>
          So many records may be released with stars{" "}
          <select value={value || "0"} onChange={(e) => change("Records given up", withValue(spec.value, ["suppress"], e.currentTarget.value === "0" ? undefined : e.currentTarget.value))}>
            {SUPPRESS_STEPS.map((n) => (
              <option value={String(n)}>{n === 0 ? "none" : `up to ${percent(n)}`}</option>
            ))}
            {value && !SUPPRESS_STEPS.includes(Number(value)) && <option value={value}>up to {percent(Number(value))}</option>}
          </select>
        </label>
      </div>
      {(hasMissing || action) && (
        <div class="field">
          <label>
            Records that lack something others could know
            <select value={action} onChange={(e) => change("Missing values", withValue(spec.value, ["missing", "action"], e.currentTarget.value))}>
              <option value="">stop the run, and it says where</option>
              <option value="keep">count missing as a value of its own</option>
              <option value="drop">are left out</option>
            </select>
          </label>
          <Help term="missing_action" />
        </div>
      )}
      <MistakesAt path={["suppress"]} />
      <MistakesAt path={["missing"]} />
    </div>
  );
}

function Advanced() {
  const s = spec.value;
  const method = textAt(s, "method") || textAt(s, "method", "name") || "best";
  const word = method.replace(/:.*/, "");
  const facts = choices.value?.methods.find((m) => m.name === word);
  const set = (label: string, path: string[], value: string) => change(label, withValue(spec.value, path, value));
  return (
    <details class="card">
      <summary>Advanced: method, effort, form of the release</summary>
      <div class="reading">
        <div class="field">
          <label>
            Method
            <select value={word} onChange={(e) => set("Method", ["method"], e.currentTarget.value === "best" ? "" : e.currentTarget.value)}>
              {(choices.value?.methods ?? []).map((m) => (
                <option value={m.name}>{m.name}</option>
              ))}
            </select>
          </label>
          <Help term="method" />
        </div>
        <div class="field">
          <label>
            Effort
            <select value={textAt(s, "effort")} onChange={(e) => set("Effort", ["effort"], e.currentTarget.value)}>
              <option value="fast">fast</option>
              <option value="">normal</option>
              <option value="high">high</option>
            </select>
          </label>
          <Help term="effort" />
        </div>
        <div class="field">
          <label>
            Numbers are released as
            <select value={textAt(s, "output", "numeric")} onChange={(e) => set("Form of numbers", ["output", "numeric"], e.currentTarget.value)}>
              <option value="">ranges [24..30]</option>
              <option value="minmax">two columns, least and most</option>
              <option value="mean">the mean of the group</option>
              <option value="median">the median of the group</option>
            </select>
          </label>
          <Help term="numeric" />
        </div>
        <div class="field">
          <label>
            Seed
            <input type="number" min={0} value={textAt(s, "seed")} placeholder="1" onChange={(e) => set("Seed", ["seed"], e.currentTarget.value)} />
          </label>
          <Help term="seed" />
        </div>
        <div class="field">
          <label>
            <span>
              <input type="checkbox" checked={textAt(s, "strict") === "true"} onChange={(e) => set("Strict", ["strict"], e.currentTarget.checked ? "true" : "")} />
              Nothing with warnings
            </span>
          </label>
          <Help term="strict" />
        </div>
      </div>
      {facts && (
        <p class="quiet">
          {facts.name}: {facts.summary}
        </p>
      )}
      <MistakesAt path={["method"]} />
      <MistakesAt path={["output"]} />
    </details>
  );
}
