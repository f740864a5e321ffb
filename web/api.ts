// The calls of the server (docs/server.md), typed. Nothing else in the page speaks to anybody.
import type { Levels, Spec } from "./spec_tree";

export interface Mistake {
  status: string;
  message: string;
  source?: string | null;
  line?: number | null;
  column?: number | null;
  record?: number | null;
  field?: number | null;
  setting?: string | null;
  path?: string[] | null;
  leaf?: string | null;
}

/** What the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly http: number,
    readonly error: Mistake,
    readonly mistakes: readonly Mistake[],
  ) {
    super(error.message);
  }
}

export interface Warning {
  code: string;
  column?: string | null;
  message: string;
  accepted?: boolean;
}

export interface Job {
  id: string;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  stage?: string | null;
  fraction?: number | null;
  seconds?: number;
  spec_hash?: string;
  current?: boolean;
  of?: string | null;
  holds?: boolean | null;
  warnings?: Warning[];
  error?: Mistake | null;
  mistakes?: Mistake[];
  has?: string[];
}

export interface Source {
  name: string;
  origin: "folder" | "upload" | "example";
  path?: string | null;
  bytes?: number;
}

export interface SpecAnswer {
  hash: string;
  yaml: string;
  spec: Spec;
  stale_table?: boolean;
}

export interface Session {
  version: string;
  revision: number;
  folder: string;
  source: Source | null;
  table: { records: number; columns: number; stale?: boolean } | null;
  spec: SpecAnswer;
  inspect: string | null;
  jobs: Job[];
  limits?: Record<string, number>;
}

export interface FolderEntry {
  name: string;
  kind: "folder" | "table" | "spec" | "other";
  bytes?: number;
}

export interface Rows {
  from: number;
  total: number;
  columns: string[];
  rows: (string | null)[][];
  lines?: number[];
  cut?: [number, number, number][];
}

export interface Bins {
  from: string[];
  to: string[];
  counts: number[];
}

export interface ColumnFacts {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  skipped?: boolean;
  role?: string | null;
  bins?: Bins | null;
  top?: [string | null, number][] | null;
  others?: number;
  after?: number[] | { counts?: number[]; top?: [string | null, number][]; others?: number } | [string | null, number][] | null;
}

export interface TreeAnswer {
  label: string;
  values: number;
  records: number;
  missing?: boolean;
  children: TreeAnswer[];
}

export interface HierarchyAnswer {
  column: string;
  leaves: number;
  nodes: number;
  height: number;
  tree: TreeAnswer;
  levels: Levels;
}

export interface PointEvent {
  requirement: string;
  method: string;
  shape: string;
  classes: number;
  smallest_class: number;
  seconds: number;
  figures: Record<string, number | null>;
}

export type JobEvent =
  | { event: "job" | "end"; job: Job }
  | { event: "progress"; stage: string; fraction: number; seconds: number }
  | { event: "table" | "heartbeat" }
  | ({ event: "point" } & PointEvent);

export interface MethodFacts {
  name: string;
  summary: string;
  shape: string;
  cost?: string;
  needs_sensitive?: boolean;
}

export interface Choices {
  methods: MethodFacts[];
  codes?: { name: string; help?: string }[];
}

const KEY = "shoal.token";
let token = "";

/** Take over a new token, or the one of this tab from before a reload. */
export function useToken(fresh: string | null, storage: Pick<Storage, "getItem" | "setItem">): boolean {
  if (fresh) storage.setItem(KEY, fresh);
  token = storage.getItem(KEY) ?? "";
  return token !== "";
}

export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await send(method, path, body, signal);
  return (await answer.json()) as T;
}

export async function text(path: string): Promise<string> {
  return (await send("GET", path)).text();
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { "Shoal-Token": token };
  const init: RequestInit = { method, headers };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch("/api" + path, init);
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Refused(0, { status: "gone", message: "The program does not answer. It may have been ended; start `shoal serve` again." }, []);
  }
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  return answer;
}

/** The refusal that an answer tells, whatever it looks like. */
export function refusal(http: number, body: string): Refused {
  try {
    const parsed = JSON.parse(body) as { error?: Mistake; mistakes?: Mistake[] };
    if (parsed.error?.message) return new Refused(http, parsed.error, parsed.mistakes ?? []);
  } catch {
    // Not JSON: told by its number.
  }
  const message = http === 401 ? "This page has no valid token. Open the address that `shoal serve` printed." : `The program answered with ${http}.`;
  return new Refused(http, { status: String(http), message }, []);
}

/** The events of a job until it has ended. The stream is taken up again where it breaks; a late reader gets the state. */
export async function follow(id: string, on: (event: JobEvent) => void, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await send("GET", `/jobs/${id}/events`, undefined, signal);
    const reader = answer.body!.getReader();
    const lines = new LineReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        for (const line of lines.take(value, done)) {
          const event = JSON.parse(line) as JobEvent;
          on(event);
          if (event.event === "end") return;
          attempt = 0;
        }
        if (done) break;
      }
    } catch (e) {
      if (signal.aborted) return;
      if (attempt >= 3) throw e;
    }
    await new Promise((go) => setTimeout(go, 200 * (attempt + 1)));
    if (signal.aborted) return;
  }
}

/** Whole lines from a stream of bytes that is cut anywhere, also within a character. */
export class LineReader {
  private readonly decoder = new TextDecoder();
  private rest = "";

  take(bytes: Uint8Array | undefined, last: boolean): string[] {
    this.rest += this.decoder.decode(bytes, { stream: !last });
    const lines = this.rest.split("\n");
    this.rest = last ? "" : (lines.pop() ?? "");
    return lines.filter((line) => line.trim());
  }
}

/** Send a file. By XMLHttpRequest, since fetch does not tell how much has been sent. */
export function upload(file: File, progress: (fraction: number) => void): { sent: Promise<{ upload: string; name: string }>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const sent = new Promise<{ upload: string; name: string }>((fulfil, fail) => {
    request.open("POST", "/api/upload?name=" + encodeURIComponent(file.name));
    request.setRequestHeader("Shoal-Token", token);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (e) => progress(e.total ? e.loaded / e.total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) fulfil(JSON.parse(request.responseText) as { upload: string; name: string });
      else fail(refusal(request.status, request.responseText));
    };
    request.onerror = () => fail(new Refused(0, { status: "gone", message: "The file could not be sent." }, []));
    request.onabort = () => fail(new Refused(0, { status: "cancelled", message: "Sending was cancelled." }, []));
    request.send(file);
  });
  return { sent, cancel: () => request.abort() };
}

/** A visit's address for something of a job: for a frame, or a download that the browser streams to disk. */
export function ticket(job: string, what: string, download?: string): Promise<{ path: string }> {
  return call("POST", `/jobs/${job}/ticket`, download ? { what, download: true, name: download } : { what });
}
