// What the page knows: the session of the server, jobs and their results, beside the spec of the store.
//
// The spec of the store goes to the server a moment after each change. The server's hash of it then tells which results belong to
// it. While a spec has mistakes it has no hash, and everything made before is stale.
import { batch, computed, effect, signal } from "@preact/signals";
import { Refused, call, follow, type ColumnFacts, type Choices, type Job, type JobEvent, type Mistake, type PointEvent, type Rows, type Session, type SpecAnswer } from "./api";
import { EMPTY, at, canonical, columnsOf, roleOf, withValue, type Spec } from "./spec_tree";
import { change, keep, restart, restore, seal, spec, specPrint } from "./store";

export const session = signal<Session | null>(null);
export const choices = signal<Choices | null>(null);
export const jobs = signal<readonly Job[]>([]);
export const columns = signal<readonly ColumnFacts[]>([]);
/** What inspecting the file found, by the names of columns. */
export interface Guess {
  name: string;
  role?: string;
  role_guessed?: boolean;
  note?: string;
  unique_share?: number;
  hierarchy?: string;
  hierarchy_instead?: string;
  satisfiable?: { alpha?: number; l?: { frequency?: number; distinct?: number; entropy?: number } };
}
export interface InspectReport {
  records: number;
  persons?: number;
  columns: Guess[];
  unique_records?: number;
  warnings?: { code: string; column?: string; message: string }[];
}
export const inspected = signal<InspectReport | null>(null);
/** Columns whose guessed role somebody has looked at. */
export const confirmed = signal<ReadonlySet<string>>(new Set());
/** How many guessed roles nobody has looked at. */
export const unconfirmed = computed(
  () => (inspected.value?.columns ?? []).filter((c) => c.role_guessed && !confirmed.value.has(c.name) && roleOf(spec.value, c.name)).length,
);
export const fatal = signal<string>("");
/** What is said to screen readers: stages and results. */
export const spoken = signal("");

// --- The spec on the server. -------------------------------------------------------------------

/** The server's hash of the spec with the print `of`. */
const known = signal<{ of: string; hash: string; yaml: string } | null>(null);
export const mistakes = signal<readonly Mistake[]>([]);
export const conflict = signal<SpecAnswer | null>(null);
let serverHash = "";

export const hash = computed(() => (known.value && known.value.of === specPrint.value ? known.value.hash : null));
export const yaml = computed(() => (known.value && known.value.of === specPrint.value ? known.value.yaml : null));

export function learn(answer: SpecAnswer, print: string): void {
  serverHash = answer.hash;
  batch(() => {
    known.value = { of: print, hash: answer.hash, yaml: answer.yaml };
    mistakes.value = [];
    conflict.value = null;
  });
}

let timer: ReturnType<typeof setTimeout> | undefined;
let sending: Promise<void> = Promise.resolve();

/** Send the spec soon, one request after the other, the last state only. */
export function sendSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendSpec(), 250);
}

export function sendSpec(force = false): Promise<void> {
  clearTimeout(timer);
  sending = sending.then(() => putSpec(force));
  return sending;
}

async function putSpec(force: boolean): Promise<void> {
  const now = spec.value;
  const print = specPrint.value;
  if (known.value?.of === print && !force) return;
  try {
    learn(await call<SpecAnswer>("PUT", "/spec", force ? { spec: now } : { spec: now, base: serverHash }), print);
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    if (e.http === 409) conflict.value = await call<SpecAnswer>("GET", "/spec");
    else if (e.http === 0 || e.http === 401) fatal.value = e.message;
    else mistakes.value = e.mistakes.length ? e.mistakes : [e.error];
  }
}

export function takeTheirs(): void {
  const theirs = conflict.value;
  if (!theirs) return;
  change("Taken over from another page", theirs.spec);
  learn(theirs, specPrint.value);
}

/** What the drawer sends: a whole spec as YAML. It becomes a change that can be undone, unless it has mistakes. */
export async function putYaml(textOfYaml: string): Promise<readonly Mistake[]> {
  try {
    const answer = await call<SpecAnswer>("PUT", "/spec", { yaml: textOfYaml });
    change("Edited as YAML", answer.spec);
    learn(answer, specPrint.value);
    return [];
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    return e.mistakes.length ? e.mistakes : [e.error];
  }
}

/** Mistakes at a place of the spec or below it. */
export function mistakesAt(...path: string[]): Mistake[] {
  return mistakes.value.filter((m) => m.path && path.every((key, i) => m.path![i] === key));
}

// --- Jobs. -------------------------------------------------------------------------------------

export const points = signal<Readonly<Record<string, readonly PointEvent[]>>>({});
const followed = new Set<string>();
const reports = new Map<string, Promise<unknown>>();

export function jobOf(id: string | null | undefined): Job | undefined {
  return jobs.value.find((j) => j.id === id);
}

function learnJob(job: Partial<Job> & { id: string }): void {
  const old = jobOf(job.id);
  const made = { ...old, ...job } as Job;
  jobs.value = old ? jobs.value.map((j) => (j.id === job.id ? made : j)) : [...jobs.value, made];
}

export const running = computed(() => jobs.value.find((j) => j.state === "running" || j.state === "waiting"));

/** The newest job of a kind that is done with the spec in force; `of` another job, where it is about one. */
export function resultOf(kind: string, of: string | null = null): Job | undefined {
  return newest((j) => j.kind === kind && j.state === "done" && j.spec_hash === hash.value && (j.of ?? null) === of);
}

/** The newest job of a kind that is done, whatever it was made with, but for releases that were only made to be compared. */
export function lastOf(kind: string): Job | undefined {
  return newest((j) => j.kind === kind && j.state === "done" && !trials.value.has(j.id));
}

/** Releases that were made to be seen side by side. */
export const trials = signal<ReadonlySet<string>>(new Set());

/** Jobs of the file that is open: those since it was opened. */
export const ofThisFile = computed(() => {
  const opened = jobs.value.map((j) => j.kind === "open" && j.state === "done").lastIndexOf(true);
  return jobs.value.slice(opened + 1);
});

function newest(is: (job: Job) => boolean): Job | undefined {
  return [...ofThisFile.value].reverse().find(is);
}

/** The specs that jobs of this page were made with, to tell what has changed since. */
export const specsOf = signal<Readonly<Record<string, Spec>>>({});

/** Start a job with the spec in force, or another one; comes back when it has ended. */
export async function run(kind: string, more: Record<string, unknown> = {}, withSpec: Spec = spec.value): Promise<Job> {
  seal();
  const job = await call<Job>("POST", "/jobs", { kind, spec: withSpec, ...more });
  specsOf.value = { ...specsOf.value, [job.id]: withSpec };
  learnJob(job);
  return watch(job.id);
}

export async function watch(id: string, on: (event: JobEvent) => void = () => {}): Promise<Job> {
  if (!followed.has(id)) {
    followed.add(id);
    if (jobOf(id)?.kind === "frontier") points.value = { ...points.value, [id]: [] };
    try {
      await follow(id, (event) => (hear(id, event), on(event)), new AbortController().signal);
    } finally {
      followed.delete(id);
    }
  }
  const job = await call<Job>("GET", "/jobs/" + id);
  learnJob(job);
  return job;
}

/** A table whose rows can be seen already, while its columns are still being looked at. */
export const early = signal<{ job: string; total: number; columns: string[] } | null>(null);

async function showEarly(id: string): Promise<void> {
  const rows = await call<Rows>("GET", "/rows?from=0&count=1");
  const state = jobOf(id)?.state;
  if (state === "running" || state === "waiting") early.value = { job: id, total: rows.total, columns: rows.columns };
}

function hear(id: string, event: JobEvent): void {
  if (event.event === "progress") {
    if (jobOf(id)?.stage !== event.stage) spoken.value = stageWords(event.stage);
    learnJob({ id, state: "running", stage: event.stage, fraction: event.fraction, seconds: event.seconds });
  } else if (event.event === "job" || event.event === "end") {
    learnJob(event.job);
    if (event.event === "end") spoken.value = endWords(event.job);
    if (event.event === "end" && event.job.state !== "done") early.value = null;
  } else if (event.event === "table") {
    void showEarly(id).catch(() => {});
  } else if (event.event === "point") {
    points.value = { ...points.value, [id]: [...(points.value[id] ?? []), event] };
  }
}

export function stageWords(stage: string | null | undefined): string {
  const words: Record<string, string> = {
    read: "Reading the file", prepare: "Preparing the columns", anonymize: "Putting people into groups", write: "Writing the release",
    verify: "Checking what was written", measure: "Measuring what was lost", report: "Writing the report", publish: "Finishing",
    inspect: "Looking at the columns", sweep: "Making releases to compare", risk: "Counting who can be found", wait: "Waiting for its turn",
  };
  return words[stage ?? ""] ?? (stage ? stage.charAt(0).toUpperCase() + stage.slice(1) : "Starting");
}

function endWords(job: Job): string {
  if (job.state === "failed") return job.error?.message ?? "It failed.";
  return job.state === "cancelled" ? "Cancelled." : "Done.";
}

export async function cancel(id: string): Promise<void> {
  learnJob(await call<Job>("DELETE", "/jobs/" + id));
}

/** The report of a job that is done; asked for once. */
export function reportOf<T>(id: string): Promise<T> {
  if (!reports.has(id)) {
    const asked = call<T>("GET", `/jobs/${id}/report`);
    asked.catch(() => reports.delete(id));
    reports.set(id, asked);
  }
  return reports.get(id) as Promise<T>;
}

// --- Opening. ----------------------------------------------------------------------------------

/** Open a table: {"path"}, {"upload"} or {"example"}. Comes back when rows can be fetched and columns are known. */
export async function open(what: Record<string, unknown>, onStart: (job: Job) => void = () => {}): Promise<Job> {
  const job = await call<Job>("POST", "/open", what);
  learnJob(job);
  onStart(job);
  const ended = await watch(job.id);
  if (ended.state === "done") await load(what.from === "current");
  return ended;
}

/** Fetch what the server has open. keepSpec: the spec of the page stays, as when the same file is read in another way. */
export async function load(keepSpec: boolean): Promise<void> {
  const s = await call<Session>("GET", "/session");
  const facts = s.table ? (await call<{ columns: ColumnFacts[] }>("GET", "/columns")).columns : [];
  const report = s.inspect ? await reportOf<InspectReport>(s.inspect).catch(() => null) : null;
  batch(() => {
    session.value = s;
    jobs.value = s.jobs;
    early.value = null;
    columns.value = facts;
    inspected.value = report;
    if (!s.source) return;
    if (keepSpec) {
      change("Read in another way", merged(s.spec.spec));
      confirmed.value = new Set([...confirmed.value].filter((name) => facts.some((c) => c.name === name)));
    } else {
      // Numbers that matter start empty: how much privacy is asked for is nothing to be guessed.
      restart(withValue(s.spec.spec, ["privacy"], undefined));
      confirmed.value = new Set();
    }
    serverHash = s.spec.hash;
  });
  if (s.source) await sendSpec();
}

/** What was just guessed, under what somebody had already said. */
function merged(guessed: Spec): Spec {
  let made = spec.value;
  for (const name of columnsOf(guessed)) {
    if (!roleOf(made, name)) made = withValue(made, ["columns", name], at(guessed, "columns", name));
  }
  return made;
}

/** At the start: what the server has, and what this tab had before a reload. */
export async function begin(storage: Pick<Storage, "getItem" | "setItem">, ready: () => void): Promise<void> {
  choices.value = await call<Choices>("GET", "/choices");
  const s = await call<Session>("GET", "/session");
  const opening = s.jobs.find((j) => j.kind === "open" && (j.state === "running" || j.state === "waiting"));
  jobs.value = s.jobs;
  session.value = s;
  if (s.source) await resume(s, storage);
  ready();
  effect(() => save(storage));
  effect(() => {
    if (specPrint.value && session.value?.source) sendSoon();
  });
  for (const job of s.jobs) if (job.id !== opening?.id && (job.state === "running" || job.state === "waiting")) void watch(job.id);
  if (opening) {
    const ended = await watch(opening.id);
    if (ended.state === "done") await load(false);
  }
}

async function resume(s: Session, storage: Pick<Storage, "getItem">): Promise<void> {
  const kept = readKept(storage, sourceKey(s));
  await load(false);
  if (!kept || !restore(kept.history)) return;
  confirmed.value = new Set(Array.isArray(kept.confirmed) ? kept.confirmed : []);
  trials.value = new Set(Array.isArray(kept.trials) ? kept.trials : []);
  specsOf.value = (kept.specs as Record<string, Spec>) ?? {};
  await sendSpec();
}

// --- Kept in this tab. -------------------------------------------------------------------------

const KEPT = "shoal.kept";
const sourceKey = (s: Session): string => (s.source ? [s.source.origin, s.source.path ?? s.source.name, s.source.bytes, s.table?.records].join("|") : "");

interface KeptPage {
  source: string;
  history: unknown;
  confirmed: unknown;
  trials: unknown;
  specs: unknown;
}

function readKept(storage: Pick<Storage, "getItem">, source: string): KeptPage | null {
  try {
    const kept = JSON.parse(storage.getItem(KEPT) ?? "null") as KeptPage | null;
    return kept && kept.source === source ? kept : null;
  } catch {
    return null;
  }
}

/** A history too large for the browser's storage is kept without its past. */
function save(storage: Pick<Storage, "setItem">): void {
  if (!session.value?.source) return;
  const page = { source: sourceKey(session.value), confirmed: [...confirmed.value], trials: [...trials.value] };
  const all = keep();
  const store = (history: unknown, specs: unknown) => storage.setItem(KEPT, JSON.stringify({ ...page, history, specs }));
  try {
    store(all, specsOf.value);
  } catch {
    try {
      store({ base: spec.value ?? EMPTY, changes: [], done: 0 }, {});
    } catch {
      // Without storage a reload goes back to what the server has.
    }
  }
}

/** Whether two specs say the same. */
export const same = (a: Spec, b: Spec): boolean => canonical(a) === canonical(b);
