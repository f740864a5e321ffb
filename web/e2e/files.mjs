// Files to open: a hospital's messy one, a hostile one, a broken one.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Visits of patients as an office exports them: semicolons, decimal commas, DD.MM.YYYY, Latin-1, several rows per patient. */
export function messy(path, patients = 300) {
  const text = execFileSync("python3", ["-B", join(here, "../../tests/hospital.py"), "--patients", String(patients)], { encoding: "utf8" });
  const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
  const names = { patient_id: "Patienten-Nr", birth_date: "Geburtsdatum", zip: "PLZ", sex: "Geschlecht", diagnosis: "Diagnose", ward: "Station", visit_date: "Besuch" };
  const date = (iso) => iso.split("-").reverse().join(".");
  const lines = rows.map((row, i) => {
    const cells = row.map((cell, c) => (/_date$/.test(head[c]) ? date(cell) : cell));
    const weight = (50 + ((i * 37) % 500) / 10).toFixed(1).replace(".", ",");
    return [...cells, weight, i % 3 ? "München" : "Köln"].join(";");
  });
  const header = [...head.map((name) => names[name] ?? name), "Gewicht", "Größe der Stadt"].join(";");
  writeFileSync(path, Buffer.from([header, ...lines].join("\r\n") + "\r\n", "latin1"));
  return lines.length;
}

export const HOSTILE_NAME = '<img src=x onerror="window.hacked=1">';

/** Names and cells that would do harm where they are not shown as texts. */
export function hostile(path) {
  const quote = (cell) => '"' + cell.replace(/"/g, '""') + '"';
  const head = [HOSTILE_NAME, "__proto__", "a\"b'c&amp;", "\u202eeman", "age"];
  const cells = ["<script>window.hacked=2</script>", "'\"><svg onload=window.hacked=3>", "\u202eabc\u202d", "{{7*7}}${7*7}", "=HYPERLINK(\"http://example.org\")"];
  const rows = [];
  for (let i = 0; i < 40; i++) rows.push([cells[i % 5], cells[(i + 1) % 5], cells[(i + 2) % 5], cells[(i + 3) % 5], String(20 + (i % 7))]);
  rows[3][1] = "x".repeat((1 << 20) - 1);
  writeFileSync(path, [head, ...rows].map((row) => row.map(quote).join(",")).join("\n") + "\n");
}
