// The page: a bar on top, the five steps at the left, one screen, and a drawer.
import { computed, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused, useToken } from "./api";
import { Name } from "./parts/cell_text";
import { Drawer } from "./parts/drawer";
import { JobBar, jobName } from "./parts/job";
import { Banner } from "./parts/notes";
import { STEPS, parseRoute, routeText, tokenIn, withoutToken, type Step } from "./router";
import { ColumnsScreen } from "./screens/columns";
import { CompareScreen, isCompared } from "./screens/compare";
import { DataScreen } from "./screens/data";
import { PrivacyScreen } from "./screens/privacy";
import { ReleaseScreen } from "./screens/release";
import { begin, columns, conflict, fatal, jobs, lastOf, mistakes, resultOf, running, sendSpec, session, spoken, takeTheirs, unconfirmed } from "./session";
import { canRedo, canUndo, history, redo, seal, spec, undo } from "./store";
import { obstacles } from "./words";

export const route = signal(parseRoute(location.hash));
const isReady = signal(false);

const TITLES: Record<Step, string> = { data: "Data", columns: "Columns", privacy: "Privacy", compare: "Compare", release: "Release" };

type State = "empty" | "ready" | "stale" | "failed";
const STATE_WORDS: Record<State, string> = { empty: "to do", ready: "ready", stale: "out of date", failed: "failed" };
const STATE_ICONS: Record<State, string> = { empty: "○", ready: "●", stale: "◐", failed: "✕" };

const states = computed<Record<Step, State>>(() => {
  const open = !!session.value?.source;
  const wrong = (part: string) => mistakes.value.some((m) => m.path?.[0] === part);
  const missing = open ? obstacles(spec.value, unconfirmed.value) : [];
  const of = (kind: string): State => (resultOf(kind) ? "ready" : lastOf(kind) ? "stale" : "empty");
  const failed = [...jobs.value].reverse().find((j) => j.kind === "anonymize" || j.kind === "open");
  return {
    data: failed?.kind === "open" && failed.state === "failed" ? "failed" : !open ? "empty" : session.value?.table?.stale ? "stale" : "ready",
    columns: wrong("columns") ? "failed" : open && !missing.some((m) => m.step === "columns") ? "ready" : "empty",
    privacy: wrong("privacy") ? "failed" : open && !missing.some((m) => m.step === "privacy") ? "ready" : "empty",
    compare: !open || isCompared() === null ? "empty" : isCompared() ? "ready" : "stale",
    release: failed?.kind === "anonymize" && failed.state === "failed" ? "failed" : open ? of("anonymize") : "empty",
  };
});

function Rail() {
  return (
    <nav class="rail" aria-label="Steps">
      <ol>
        {STEPS.map((step) => {
          const state = states.value[step];
          return (
            <li>
              <a href={routeText({ step, detail: "" })} class={"step " + state} aria-current={route.value.step === step ? "step" : undefined}>
                <span class="step-icon" aria-hidden="true">
                  {STATE_ICONS[state]}
                </span>
                <span>
                  {TITLES[step]}
                  <span class="step-state">{STATE_WORDS[state]}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function TopBar({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const source = session.value?.source;
  const job = running.value;
  const { changes, done } = history.value;
  return (
    <header class="top">
      <a class="brand" href="#/data">
        Shoal
      </a>
      <span class="file">{source ? <Name of={source.name} /> : "no file yet"}</span>
      <span class="job-place">{job && <JobBar job={job} name={jobName(job.kind)} />}</span>
      <button type="button" disabled={!canUndo.value} onClick={undo} aria-label={"Undo" + (canUndo.value ? `: ${changes[done - 1]!.label}` : "")} title={changes[done - 1]?.label}>
        ↶ <span class="wide">Undo</span>
      </button>
      <button type="button" disabled={!canRedo.value} onClick={redo} aria-label={"Redo" + (canRedo.value ? `: ${changes[done]!.label}` : "")} title={changes[done]?.label}>
        ↷ <span class="wide">Redo</span>
      </button>
      <button type="button" aria-expanded={isOpen} onClick={toggle}>
        Spec
      </button>
    </header>
  );
}

function Screen() {
  const { step, detail } = route.value;
  if (!session.value?.source && step !== "data") {
    return (
      <section>
        <h1>{TITLES[step]}</h1>
        <p>
          There is no data yet. <a href="#/data">Open a file first.</a>
        </p>
      </section>
    );
  }
  if (step === "columns") return <ColumnsScreen detail={detail} />;
  if (step === "privacy") return <PrivacyScreen />;
  if (step === "compare") return <CompareScreen />;
  if (step === "release") return <ReleaseScreen />;
  return <DataScreen />;
}

function Page() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const isText = e.target instanceof HTMLTextAreaElement || (e.target instanceof HTMLInputElement && e.target.type !== "range" && e.target.type !== "checkbox");
      if (isText || !(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== "z") return;
      e.preventDefault();
      if (e.shiftKey) redo();
      else undo();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    document.title = `${TITLES[route.value.step]} – ${session.value?.source?.name ?? "Shoal"}`;
  });
  const atLast = columns.value.length > 0;
  return (
    <div class={"page" + (isOpen ? " with-drawer" : "") + (atLast ? "" : " new")}>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      <TopBar isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
      <Rail />
      <main id="main" tabIndex={-1}>
        {fatal.value && (
          <Banner kind="bad">
            <span role="alert">{fatal.value}</span>
          </Banner>
        )}
        {conflict.value && (
          <Banner kind="warn">
            <span role="alert">Another page has changed the spec meanwhile.</span>
            <button type="button" onClick={takeTheirs}>
              Take theirs
            </button>
            <button type="button" onClick={() => void sendSpec(true)}>
              Keep mine
            </button>
          </Banner>
        )}
        {isReady.value ? <Screen /> : !fatal.value && <p class="quiet">Asking the program what is open …</p>}
      </main>
      {isOpen && <Drawer close={() => setOpen(false)} />}
      <div class="spoken" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </div>
  );
}

async function start(): Promise<void> {
  const fresh = tokenIn(location.hash);
  if (fresh) window.history.replaceState(null, "", withoutToken(location.hash) || "#/data");
  route.value = parseRoute(location.hash);
  addEventListener("hashchange", () => {
    const again = tokenIn(location.hash);
    if (again) location.reload();
    else route.value = parseRoute(location.hash);
    seal();
  });
  const place = document.getElementById("page")!;
  place.textContent = "";
  render(<Page />, place);
  if (!useToken(fresh, sessionStorage)) {
    fatal.value = "This page has no token. Open the address that `shoal serve` printed, with all that stands behind the #.";
    return;
  }
  try {
    await begin(sessionStorage, () => (isReady.value = true));
  } catch (e) {
    fatal.value = e instanceof Refused ? e.message : String(e);
  }
}

void start();
