// Run the unit tests: node test.mjs
//
// esbuild makes one module of each test, as the page's sources are TypeScript; node's own runner runs them.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(here, "node_modules", ".unit-"));
try {
  const tests = readdirSync(join(here, "unit")).filter((name) => name.endsWith(".test.ts"));
  if (!tests.length) throw new Error("no unit tests were found");
  await build({
    absWorkingDir: here,
    entryPoints: tests.map((name) => join("unit", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    loader: { ".md": "text" },
    logLevel: "warning",
  });
  const made = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  const run = spawnSync(process.execPath, ["--test", ...process.argv.slice(2), ...made], { stdio: "inherit" });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
