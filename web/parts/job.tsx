// A job under way: its stage, how far it is, and a button that ends it.
import type { Job } from "../api";
import { cancel, stageWords } from "../session";

export function JobBar({ job, name }: { job: Job; name: string }) {
  const fraction = Math.max(0, Math.min(1, job.fraction ?? 0));
  const left = secondsLeft(job);
  return (
    <div class="job" data-job={job.id}>
      <span class="job-words">
        {name}: {job.state === "waiting" ? "waiting for its turn" : stageWords(job.stage).toLowerCase()}
        {left ? `, about ${left} left` : ""}
      </span>
      <progress max={1} value={fraction} aria-label={name} />
      <span class="job-percent">{Math.round(fraction * 100)} %</span>
      <button type="button" onClick={() => void cancel(job.id)}>
        Cancel
      </button>
    </div>
  );
}

/** A guess, told only once it is better than none. */
export function secondsLeft(job: Pick<Job, "fraction" | "seconds">): string {
  const { fraction = 0, seconds = 0 } = job;
  if (!fraction || fraction < 0.1 || seconds < 2) return "";
  const left = (seconds / fraction) * (1 - fraction);
  if (left < 1) return "";
  return left < 90 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`;
}

export function jobName(kind: string): string {
  const names: Record<string, string> = {
    open: "Opening", inspect: "Looking", anonymize: "Release", frontier: "Comparing", risk: "Who can be found", attack: "Attacks", query: "Query", pairs: "Before and after",
  };
  return names[kind] ?? kind;
}
