// Release: made, verified, judged; what to take away, and how to do it again without this page.
import { useEffect, useState } from "preact/hooks";
import { Refused, call, text, ticket, type Job, type Mistake } from "../api";
import { Name } from "../parts/cell_text";
import { number, percent } from "../parts/chart";
import { Help } from "../parts/help";
import { JobBar } from "../parts/job";
import { Banner, Mistakes } from "../parts/notes";
import { nameOf, type ReleaseReport } from "../release_report";
import { hash, lastOf, ofThisFile, reportOf, resultOf, run, running, session, specsOf, unconfirmed } from "../session";
import { at, differences, withValue } from "../spec_tree";
import { change, spec } from "../store";
import { obstacles } from "../words";

/** What is kept of a job while its screen is shown. */
export function useReport<T>(id: string | undefined): T | null {
  const [report, setReport] = useState<{ id: string; report: T } | null>(null);
  useEffect(() => {
    let isGone = false;
    if (id) reportOf<T>(id).then((r) => isGone || setReport({ id, report: r }), () => {});
    return () => {
      isGone = true;
    };
  }, [id]);
  return report && report.id === id ? report.report : null;
}

export function ReleaseScreen() {
  const fresh = resultOf("anonymize");
  const last = fresh ?? lastOf("anonymize");
  const newest = [...ofThisFile.value].reverse().find((j) => j.kind === "anonymize");
  const failed = !fresh && newest && (newest.state === "failed" || newest.state === "cancelled") && newest.spec_hash === hash.value ? newest : undefined;
  const job = running.value?.kind === "anonymize" ? running.value : undefined;
  const missing = obstacles(spec.value, unconfirmed.value);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const make = () => {
    setMistakes([]);
    run("anonymize").catch((e) => setMistakes(e instanceof Refused ? (e.mistakes.length ? e.mistakes : [e.error]) : [{ status: "", message: String(e) }]));
  };
  return (
    <section>
      <h1>Release</h1>
      {!fresh && !job && (
        <div class="row">
          <button type="button" class="primary" disabled={missing.length > 0} aria-describedby={missing.length ? "why-not" : undefined} onClick={make}>
            {last ? "Make the release again" : "Make the release"}
          </button>
          {missing.length > 0 && (
            <span id="why-not">
              {missing.map((m) => (
                <span>
                  {m.words} <a href={"#/" + m.step}>To the {m.step === "columns" ? "columns" : "privacy screen"}.</a>{" "}
                </span>
              ))}
            </span>
          )}
        </div>
      )}
      {job && <JobBar job={job} name="Release" />}
      <Mistakes of={mistakes} />
      {failed?.error && (
        <Banner kind="bad">
          <span role="alert">
            <strong>{failed.error.status === "unsatisfiable" ? "This cannot be met." : "Nothing was released."}</strong> <bdi>{failed.error.message}</bdi>
          </span>
          {failed.error.status === "unsatisfiable" && <a href="#/privacy">Ask for less</a>}
        </Banner>
      )}
      {failed?.state === "cancelled" && <Banner kind="info">It was cancelled; nothing was released.</Banner>}
      {last && !fresh && <Stale of={last} />}
      {last && (
        <div class={fresh ? "" : "stale-part"}>
          <Result job={last} isFresh={!!fresh} key={last.id} />
        </div>
      )}
      {!last && !job && !failed && <p class="quiet">Nothing has been made yet.</p>}
    </section>
  );
}

/** What has changed since a result was made. */
export function Stale({ of }: { of: Job }) {
  const made = specsOf.value[of.id];
  const changed = made ? differences(made, spec.value) : [];
  return (
    <Banner kind="stale">
      <span>
        <strong>Out of date.</strong> What is shown below was made before the last changes
        {changed.length ? (
          <>
            : <bdi>{changed.slice(0, 5).join(", ")}</bdi>
            {changed.length > 5 ? ` and ${changed.length - 5} more` : ""}
          </>
        ) : (
          ""
        )}
        . Undo them, or make a new release.
      </span>
    </Banner>
  );
}

function Result({ job, isFresh }: { job: Job; isFresh: boolean }) {
  const report = useReport<ReleaseReport>(job.id);
  if (!report) return <p class="quiet">Fetching the report …</p>;
  const open = report.warnings.filter((w) => !w.accepted);
  const holds = report.requirements.every((r) => r.holds) && job.holds !== false;
  return (
    <>
      <Banner kind={!holds ? "bad" : open.length ? "warn" : "good"}>
        <span class="verdict">
          {!holds ? "✕ The promise is not kept: this cannot be published." : open.length ? `▲ The promise is kept; ${open.length} ${open.length === 1 ? "warning speaks" : "warnings speak"} against publishing.` : "✓ The promise is kept, and nothing known speaks against publishing."}
        </span>
      </Banner>
      <h2>Asked, and checked on the very bytes of the release</h2>
      <ul>
        {report.requirements.map((r) => (
          <li>
            {r.holds ? "✓ " : "✕ "}
            <bdi>{r.asked}</bdi>
            {r.holds ? "" : `: ${number(r.failing_classes)} groups do not, with ${number(r.failing_records)} records`}
          </li>
        ))}
      </ul>
      <Warnings report={report} isFresh={isFresh} />
      <Figures report={report} />
      {holds && isFresh && <Files job={job} />}
      {holds && !isFresh && <p>Only a release of the spec as it is now can be taken away.</p>}
      <Frame job={job} />
    </>
  );
}

function Warnings({ report, isFresh }: { report: ReleaseReport; isFresh: boolean }) {
  if (!report.warnings.length) return null;
  const accept = (code: string) => {
    const now = at(spec.value, "accept");
    const list = Array.isArray(now) ? now.map(String) : typeof now === "string" ? now.split(",") : [];
    change(`Accepted: ${code}`, withValue(spec.value, ["accept"], [...new Set([...list, code])]));
  };
  return (
    <>
      <h2>
        Warnings <Help term="warnings" />
      </h2>
      <ul class="warnings">
        {report.warnings.map((w) => (
          <li>
            {w.column && (
              <>
                <strong>
                  <Name of={w.column} />
                </strong>
                :{" "}
              </>
            )}
            <bdi>{w.message}</bdi> <code>{w.code}</code>{" "}
            {w.accepted ? (
              <em>accepted</em>
            ) : (
              isFresh && (
                <button type="button" onClick={() => accept(w.code)} aria-label={`Accept the warning ${w.code}`}>
                  Accept
                </button>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Figures({ report }: { report: ReleaseReport }) {
  const who = report.counted === "persons" ? "people" : "records";
  const risk = report.risk;
  return (
    <>
      <div class="figures">
        <div class="figure">
          <strong>{report.gcp === null ? "–" : percent(report.gcp)}</strong>information lost <Help term="gcp" />
        </div>
        <div class="figure">
          <strong>{number(report.fewest_persons ?? report.smallest_class)}</strong>
          {who} in the smallest group
        </div>
        {risk && (
          <div class="figure">
            <strong>{percent(risk.release.prosecutor.highest)}</strong>chance to be found at most, {percent(risk.original.prosecutor.highest)} before <Help term="risk" />
          </div>
        )}
        {risk && (
          <div class="figure">
            <strong>{number(risk.release.uniques)}</strong>unique records, {number(risk.original.uniques)} before
          </div>
        )}
        <div class="figure">
          <strong>{number(report.classes)}</strong>groups of {number(report.records)} records
        </div>
      </div>
      {risk && risk.release.prosecutor.above.length > 0 && (
        <p>
          Above a chance of{" "}
          {risk.release.prosecutor.above.map((a, i) => (
            <span>
              {i ? ", of " : ""}
              {number(a.threshold)}: {number(a.records)} records
            </span>
          ))}
          .
        </p>
      )}
      {(report.left_out ?? []).length > 0 && (
        <p>
          Left out: <bdi>{report.left_out!.map(nameOf).join(", ")}</bdi>.
        </p>
      )}
      {(report.released_as_is ?? []).length > 0 && (
        <p>
          Released as they are: <bdi>{report.released_as_is!.map(nameOf).join(", ")}</bdi>.
        </p>
      )}
    </>
  );
}

// --- What to take away. ----------------------------------------------------------------------------

const FILES: { what: string; words: string; name: (stem: string) => string }[] = [
  { what: "release", words: "the release", name: (s) => `${s}.csv` },
  { what: "sensitive", words: "its second file, of what is protected", name: (s) => `${s}.sensitive.csv` },
  { what: "report.html", words: "the report for the board; it shows how often values occur", name: (s) => `${s}.html` },
  { what: "external.html", words: "the page that may go along with the release", name: (s) => `${s}.external.html` },
  { what: "report", words: "the report as JSON", name: (s) => `${s}.json` },
  { what: "spec", words: "the spec, to be opened again", name: (s) => `${s}.yaml` },
];

async function download(job: Job, what: string, name: string): Promise<void> {
  const { path } = await ticket(job.id, what, name);
  const link = document.createElement("a");
  link.href = path;
  link.download = name;
  link.click();
}

interface Written {
  files: { what: string; file: string; bytes: number; sha256: string }[];
}

function Files({ job }: { job: Job }) {
  const [command, setCommand] = useState<{ command: string; folder: string } | null>(null);
  const [stem, setStem] = useState((session.value?.source?.name ?? "release").replace(/\.(csv|tsv|txt)?(\.gz|\.zst)?$/, "") + ".release");
  const [written, setWritten] = useState<Written | null>(null);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const report = useReport<ReleaseReport>(job.id);
  const refused = (e: unknown) => setMistakes([e instanceof Refused ? e.error : { status: "", message: String(e) }]);
  useEffect(() => {
    call<{ command: string; folder: string }>("GET", `/jobs/${job.id}/command`).then(setCommand, () => {});
  }, [job.id]);
  const write = async (replace: boolean) => {
    try {
      setWritten(await call<Written>("POST", "/release", { job: job.id, file: stem + ".csv", with: ["report.html", "external.html", "report.json", "spec"], replace }));
      setMistakes([]);
    } catch (e) {
      setWritten(null);
      refused(e);
    }
  };
  return (
    <>
      <h2>
        Take away <Help term="external" />
      </h2>
      <ul class="downloads">
        {FILES.filter((f) => job.has?.includes(f.what)).map((f) => (
          <li>
            <button type="button" class={f.what === "release" ? "primary" : ""} onClick={() => void download(job, f.what, f.name(stem)).catch(refused)}>
              ↓ {f.name(stem)}
            </button>{" "}
            {f.words}
          </li>
        ))}
      </ul>
      <div class="row">
        <label>
          Or write all of them into the folder as{" "}
          <input type="text" value={stem} onInput={(e) => setStem(e.currentTarget.value)} />
          .csv
        </label>
        <button type="button" disabled={!stem.trim()} onClick={() => void write(false)}>
          Write
        </button>
        {mistakes.some((m) => m.status === "conflict") && (
          <button type="button" onClick={() => void write(true)}>
            Write over what is there
          </button>
        )}
      </div>
      <Mistakes of={mistakes} />
      {written && (
        <div class="scroll-x" tabIndex={0} role="group" aria-label="files written">
          <table>
            <tbody>
              {written.files.map((f) => (
                <tr>
                  <td>
                    <Name of={f.file} />
                  </td>
                  <td class="number">{number(f.bytes)} bytes</td>
                  <td>
                    <code>{f.sha256}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {report?.sha256 && (
        <p>
          SHA-256 of the release <code>{report.sha256.release}</code>
          {report.sha256.input && (
            <>
              , of the original <code>{report.sha256.input}</code>
            </>
          )}
        </p>
      )}
      {command && (
        <>
          <h2>
            The same without this page <Help term="command" />
          </h2>
          <pre>{command.command}</pre>
        </>
      )}
    </>
  );
}

function Frame({ job }: { job: Job }) {
  const [shown, setShown] = useState<"" | "report.html" | "external.html" | "text">("");
  const [path, setPath] = useState("");
  const [lines, setLines] = useState("");
  const show = async (what: "report.html" | "external.html" | "text") => {
    setPath("");
    setShown(shown === what ? "" : what);
    if (shown === what) return;
    if (what === "text") setLines(await text(`/jobs/${job.id}/text`));
    else setPath((await ticket(job.id, what)).path);
  };
  return (
    <>
      <h2>The report</h2>
      <div class="row">
        {job.has?.includes("report.html") && (
          <button type="button" aria-pressed={shown === "report.html"} onClick={() => void show("report.html")}>
            For the board
          </button>
        )}
        {job.has?.includes("external.html") && (
          <button type="button" aria-pressed={shown === "external.html"} onClick={() => void show("external.html")}>
            For others
          </button>
        )}
        <button type="button" aria-pressed={shown === "text"} onClick={() => void show("text")}>
          In a few lines
        </button>
      </div>
      {shown === "text" && <pre>{lines}</pre>}
      {path && <iframe class="frame" sandbox="" title="The report" src={path} />}
    </>
  );
}
