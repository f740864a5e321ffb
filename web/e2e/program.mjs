// The program under test: served, or run from its command line.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PROGRAM = process.env.SHOAL_PROGRAM;

/** A folder that is removed at the end of the tests. */
export function folder() {
  const made = mkdtempSync(join(tmpdir(), "shoal-e2e-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

const running = new Set();

/** End what a test that failed has left running, without which node would wait for it. */
export function stopAll() {
  for (const child of running) child.kill("SIGKILL");
}

/** Start `shoal serve` on a folder or file; comes back with its address once it has printed it. */
export function serve(place) {
  const child = spawn(PROGRAM, ["serve", place, "--no-browser"], { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.on("exit", () => running.delete(child));
  return new Promise((fulfil, fail) => {
    let text = "";
    let errors = "";
    child.stderr.on("data", (bytes) => (errors += bytes));
    const early = (code) => fail(new Error(`shoal serve ended with ${code}: ${errors}`));
    child.on("exit", early);
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([0-9a-f]{32})/.exec(text);
      if (!found) return;
      const [address, origin, token] = found;
      const stop = () =>
        new Promise((gone) => {
          child.removeListener("exit", early);
          if (child.exitCode !== null) return gone();
          child.on("exit", gone);
          child.kill("SIGTERM");
        });
      fulfil({ address, origin, token, stop, errors: () => errors });
    });
  });
}

export function shoal(args, options = {}) {
  return spawnSync(PROGRAM, args, { encoding: "utf8", ...options });
}

export function generate(path, records, seed = "1") {
  execFileSync(PROGRAM, ["generate", "census", "--records", String(records), "--seed", seed, "-o", path], { stdio: "ignore" });
}
