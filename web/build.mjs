// Bundle the page: node build.mjs OUTPUT-FOLDER
//
// Writes index.html, page.js and page.css, which together are the page and need nothing else. Their names are fixed, as
// the program carries them inside. Fails when they are larger, compressed, than the page may be.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const MOST_BYTES = 100_000;

mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "main.tsx" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2020", "chrome100", "firefox100", "safari15"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".md": "text" },
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
});
await build({
  absWorkingDir: here,
  entryPoints: { page: "style.css" },
  outdir: out,
  bundle: true,
  minify: true,
  logLevel: "warning",
});
copyFileSync(join(here, "index.html"), join(out, "index.html"));

let bytes = 0;
for (const name of ["index.html", "page.js", "page.css"]) bytes += gzipSync(readFileSync(join(out, name)), { level: 9 }).length;
console.log(`page: ${bytes} bytes compressed`);
if (bytes > MOST_BYTES) {
  console.error(`The page is larger than ${MOST_BYTES} bytes.`);
  process.exit(1);
}
