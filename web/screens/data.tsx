// Data: open or drop a file, see how it was read and correct that, look at its rows.
import { useEffect, useState } from "preact/hooks";
import { Refused, call, upload, type FolderEntry, type Job, type Mistake, type Rows } from "../api";
import { Name, bytesText } from "../parts/cell_text";
import { Summary, number, percent } from "../parts/chart";
import { Grid } from "../parts/grid";
import type { Term } from "../help/terms";
import { Help } from "../parts/help";
import { JobBar } from "../parts/job";
import { Mistakes } from "../parts/notes";
import { columns, early, inspected, jobOf, open, sendSpec, session } from "../session";
import { at, roleOf, textAt, withValue, type Spec } from "../spec_tree";
import { change, spec } from "../store";
import { roleWords } from "../words";

/** How a file is read; empty texts are what the program finds by itself. */
type Reading = Record<"delimiter" | "encoding" | "decimal" | "thousands" | "date_format" | "skip_lines" | "comment", string>;
const AS_FOUND: Reading = { delimiter: "", encoding: "", decimal: "", thousands: "", date_format: "", skip_lines: "", comment: "" };

/** What is being opened, or could not be. */
interface Attempt {
  name: string;
  what: Record<string, unknown>;
  reading: Reading;
}

export function DataScreen() {
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [jobId, setJob] = useState<string | null>(null);
  const [sending, setSending] = useState<{ fraction: number; cancel: () => void } | null>(null);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const source = session.value?.source ?? null;
  const [isChoosing, setChoosing] = useState(false);

  const start = async (a: Attempt, from?: unknown) => {
    setAttempt(a);
    setMistakes([]);
    try {
      const job = await open(from === undefined ? a.what : { ...a.what, from }, (j: Job) => setJob(j.id));
      if (job.state === "done") {
        setAttempt(null);
        setChoosing(false);
      } else setMistakes(job.mistakes?.length ? job.mistakes : job.error ? [job.error] : []);
    } catch (e) {
      setMistakes(e instanceof Refused ? (e.mistakes.length ? e.mistakes : [e.error]) : [{ status: "io", message: String(e) }]);
    }
    setJob(null);
  };

  const send = async (file: File) => {
    setMistakes([]);
    const { sent, cancel } = upload(file, (fraction) => setSending({ fraction, cancel }));
    setSending({ fraction: 0, cancel });
    try {
      const done = await sent;
      setSending(null);
      await start({ name: done.name, what: { upload: done.upload }, reading: AS_FOUND });
    } catch (e) {
      setSending(null);
      setAttempt({ name: file.name, what: {}, reading: AS_FOUND });
      setMistakes([e instanceof Refused ? e.error : { status: "io", message: String(e) }]);
    }
  };

  const job = jobOf(jobId);
  const isBusy = !!sending || (!!job && (job.state === "running" || job.state === "waiting"));
  return (
    <section>
      <h1>Data</h1>
      {sending && (
        <div class="job">
          <span class="job-words">Sending the file to the program on this machine</span>
          <progress max={1} value={sending.fraction} aria-label="Sending" />
          <span class="job-percent">{Math.round(sending.fraction * 100)} %</span>
          <button type="button" onClick={sending.cancel}>
            Cancel
          </button>
        </div>
      )}
      {job && isBusy && <JobBar job={job} name={`Opening ${attempt?.name ?? ""}`} />}
      {attempt && !isBusy && mistakes.length > 0 && (
        <div class="card bad-edge">
          <h2>
            <Name of={attempt.name} /> could not be read
          </h2>
          <Mistakes of={mistakes} />
          {Object.keys(attempt.what).length > 0 && (
            <ReadingForm
              reading={attempt.reading}
              label="Try it so"
              submit={(reading) => void start({ ...attempt, reading }, treeOfReading(reading))}
            />
          )}
        </div>
      )}
      {(!source || isChoosing) && <Choose start={(a) => void start(a)} send={(f) => void send(f)} isBusy={isBusy} isFirst={!source} />}
      {early.value && (
        <>
          <p class="quiet">{number(early.value.total)} records are read. What the columns are is still being looked at.</p>
          <Grid id="early" label="Records that were read" total={early.value.total} columns={early.value.columns} version={early.value.job} fetch={fetchRows} />
        </>
      )}
      {source && !early.value && <Opened again={(a, from) => void start(a, from)} other={() => setChoosing(!isChoosing)} isChoosing={isChoosing} />}
    </section>
  );
}

function fetchRows(from: number, count: number, signal: AbortSignal): Promise<Rows> {
  return call<Rows>("GET", `/rows?from=${from}&count=${count}`, undefined, signal);
}

function treeOfReading(reading: Reading): Spec {
  let tree: Spec = {};
  for (const [key, value] of Object.entries(reading)) tree = withValue(tree, ["input", key], value);
  return tree;
}

function Choose(props: { start: (a: Attempt) => void; send: (file: File) => void; isBusy: boolean; isFirst: boolean }) {
  const [entries, setEntries] = useState<readonly FolderEntry[]>([]);
  const [path, setPath] = useState("");
  const [over, setOver] = useState(false);
  useEffect(() => {
    const asked = path ? "/folder?path=" + encodeURIComponent(path) : "/folder";
    call<{ entries: FolderEntry[] }>("GET", asked).then((f) => setEntries(f.entries), () => setEntries([]));
  }, [path]);
  const join = (name: string) => (path ? path + "/" + name : name);
  const shown = entries.filter((e) => e.kind === "folder" || e.kind === "table");
  return (
    <>
      {props.isFirst && (
        <p class="lead">
          From a file about people to one that can be given away: nobody in it can be told from a group of others, checked and measured. The data stay on this machine.
        </p>
      )}
      <div
        class={"drop" + (over ? " over" : "")}
        onDragOver={(e) => (e.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={(e) => {
          e.preventDefault();
          setOver(false);
          const file = e.dataTransfer?.files[0];
          if (file) props.send(file);
        }}
      >
        <label class="file-label">
          Drop a CSV file here, or choose one:
          <input
            type="file"
            disabled={props.isBusy}
            onChange={(e) => {
              const file = e.currentTarget.files?.[0];
              if (file) props.send(file);
            }}
          />
        </label>
        <p>
          <button type="button" disabled={props.isBusy} onClick={() => props.start({ name: "an example", what: { example: "census" }, reading: AS_FOUND })}>
            Start with an example
          </button>{" "}
          <span class="quiet">1,000 invented people</span>
        </p>
      </div>
      {shown.length > 0 && (
        <>
          <h2>In the folder</h2>
          <ul class="files">
            {path && (
              <li>
                <button type="button" onClick={() => setPath(path.split("/").slice(0, -1).join("/"))}>
                  ↑ up
                </button>
              </li>
            )}
            {shown.map((e) => (
              <li>
                <button
                  type="button"
                  disabled={props.isBusy}
                  onClick={() => (e.kind === "folder" ? setPath(join(e.name)) : props.start({ name: e.name, what: { path: join(e.name) }, reading: AS_FOUND }))}
                >
                  {e.kind === "folder" ? "▸ " : ""}
                  <Name of={e.name} />
                </button>
                {e.kind === "table" && e.bytes !== undefined && <span class="quiet"> {bytesText(e.bytes)}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const DELIMITERS: [string, string][] = [["", "as found"], [",", "comma ,"], [";", "semicolon ;"], ["tab", "tab"], ["|", "bar |"]];
const ENCODINGS: [string, string][] = [["", "UTF-8, or UTF-16 with a mark"], ["latin1", "Latin-1"], ["windows-1252", "Windows-1252"], ["utf-16le", "UTF-16 LE"], ["utf-16be", "UTF-16 BE"]];
const DECIMALS: [string, string][] = [["", "point 1.5"], [",", "comma 1,5"]];
const THOUSANDS: [string, string][] = [["", "nothing"], [".", "point"], [",", "comma"], ["space", "space"], ["'", "apostrophe"]];

function ReadingForm(props: { reading: Reading; label: string; submit: (reading: Reading) => void; isBusy?: boolean }) {
  const [draft, setDraft] = useState(props.reading);
  const asText = JSON.stringify(props.reading);
  useEffect(() => setDraft(props.reading), [asText]);
  const set = (key: keyof Reading) => (e: { currentTarget: HTMLInputElement | HTMLSelectElement }) => setDraft({ ...draft, [key]: e.currentTarget.value });
  const choice = (key: keyof Reading, words: string, options: [string, string][], help: Term) => (
    <div class="field">
      <label>
        {words}
        <select value={draft[key]} onChange={set(key)}>
          {options.map(([value, text]) => (
            <option value={value}>{text}</option>
          ))}
        </select>
      </label>
      <Help term={help} />
    </div>
  );
  return (
    <form
      class="reading"
      onSubmit={(e) => {
        e.preventDefault();
        props.submit(draft);
      }}
    >
      {choice("delimiter", "Between columns", DELIMITERS, "delimiter")}
      {choice("encoding", "Letters", ENCODINGS, "encoding")}
      {choice("decimal", "Decimal mark", DECIMALS, "decimal")}
      {choice("thousands", "Between thousands", THOUSANDS, "thousands")}
      <div class="field">
        <label>
          Dates
          <input type="text" list="date-formats" placeholder="YYYY-MM-DD" value={draft.date_format} onInput={set("date_format")} />
        </label>
        <Help term="date_format" />
        <datalist id="date-formats">
          {["YYYY-MM-DD", "DD.MM.YYYY", "D.M.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYY/MM/DD"].map((f) => (
            <option value={f} />
          ))}
        </datalist>
      </div>
      <div class="field">
        <label>
          Lines above the header
          <input type="number" min={0} max={1000} placeholder="0" value={draft.skip_lines} onInput={set("skip_lines")} />
        </label>
        <Help term="skip_lines" />
      </div>
      <button type="submit" class="primary" disabled={props.isBusy}>
        {props.label}
      </button>
    </form>
  );
}

function Opened(props: { again: (a: Attempt, from: unknown) => void; other: () => void; isChoosing: boolean }) {
  const source = session.value!.source!;
  const table = session.value!.table;
  const report = inspected.value;
  const reading = { ...AS_FOUND };
  for (const key of Object.keys(reading) as (keyof Reading)[]) reading[key] = textAt(spec.value, "input", key);
  const tokens = at(spec.value, "missing", "tokens");
  const what: Record<string, unknown> =
    source.origin === "upload" ? { upload: source.path ?? source.name } : source.origin === "example" ? { example: source.path ?? "census" } : { path: source.path ?? source.name };
  const readAgain = async (made: Reading) => {
    let next = spec.value;
    for (const [key, value] of Object.entries(made)) next = withValue(next, ["input", key], value);
    change("Read in another way", next);
    await sendSpec();
    props.again({ name: source.name, what, reading: made }, "current");
  };
  return (
    <>
      <div class="facts">
        <span>
          <Name of={source.name} />
          {source.bytes ? <span class="quiet"> {bytesText(source.bytes)}</span> : null}
        </span>
        <span>
          <strong>{number(table?.records ?? 0)}</strong> records
        </span>
        <span>
          <strong>{number(table?.columns ?? 0)}</strong> columns
        </span>
        <button type="button" aria-expanded={props.isChoosing} onClick={props.other}>
          Another file
        </button>
      </div>
      <details class="card" open={!!table?.stale}>
        <summary>
          How it was read: <span class="quiet">{readingWords(reading)}</span>
        </summary>
        <ReadingForm reading={reading} label="Read it again" submit={(made) => void readAgain(made)} />
        <div class="field">
          <label>
            Texts that mean “missing”, with commas between them
            <input
              type="text"
              value={Array.isArray(tokens) ? tokens.join(",") : ""}
              placeholder="?, and nothing"
              onChange={(e) => {
                const list = e.currentTarget.value.split(",").map((token) => token.trim());
                change("Missing values", withValue(spec.value, ["missing", "tokens"], e.currentTarget.value.trim() ? list : undefined));
              }}
            />
          </label>
          <Help term="missing" />
        </div>
      </details>
      {(report?.warnings ?? []).length > 0 && (
        <details class="card">
          <summary>
            Noticed while reading: {report!.warnings!.length} {report!.warnings!.length === 1 ? "remark" : "remarks"}, followed where columns say so
          </summary>
          <ul class="warnings">
            {report!.warnings!.map((w) => (
              <li>
                <bdi>{w.message}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Grid
        id="original"
        label={`Records of ${source.name}`}
        total={table?.records ?? 0}
        columns={columns.value.map((c) => c.name)}
        version={`${session.value!.revision}`}
        headHeight={92}
        fetch={fetchRows}
        head={(c) => <Head column={c} />}
      />
      <p class="next">
        <a class="button primary" href="#/columns">
          Next: what the columns are
        </a>
      </p>
    </>
  );
}

function Head({ column }: { column: number }) {
  const facts = columns.value[column];
  if (!facts) return null;
  const role = roleOf(spec.value, facts.name);
  const words = roleWords(role);
  const records = session.value?.table?.records ?? 0;
  return (
    <>
      <Summary facts={facts} />
      <span class="head-facts">
        {number(facts.distinct)} values{facts.missing ? `, ${percent(facts.missing / Math.max(1, records))} missing` : ""}
      </span>
      <span class={"role-dot " + (role || "none")}>
        <span aria-hidden="true">{words.icon}</span> {words.short}
      </span>
    </>
  );
}

function readingWords(reading: Reading): string {
  const parts = [
    reading.delimiter ? (DELIMITERS.find(([d]) => d === reading.delimiter)?.[1] ?? reading.delimiter) : "separator as found",
    reading.encoding ? (ENCODINGS.find(([d]) => d === reading.encoding)?.[1] ?? reading.encoding) : "UTF-8",
    "decimal " + (reading.decimal === "," ? "comma" : "point"),
    "dates " + (reading.date_format || "YYYY-MM-DD"),
  ];
  return parts.join(", ");
}
