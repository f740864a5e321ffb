// The page in Chromium against the real program: node run.mjs PROGRAM [--pictures FOLDER] [NAME...]
//
// PROGRAM is a shoal that has the page inside. With --pictures, what docs/workbench.md shows is drawn into a folder. NAMEs run only tests
// whose names hold one of them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const program = args.shift();
if (!program || !existsSync(program)) {
  console.error("usage: run.mjs PROGRAM [--pictures FOLDER] [NAME...]");
  process.exit(2);
}
const env = { ...process.env, SHOAL_PROGRAM: resolve(program) };
if (args[0] === "--pictures") {
  env.SHOAL_PICTURES = resolve(args[1]);
  args.splice(0, 2);
}
const names = args.map((name) => "--test-name-pattern=" + name);
const run = spawnSync(process.execPath, ["--test", ...names, join(here, "workbench.test.mjs")], { stdio: "inherit", env });
process.exit(run.status ?? 1);
