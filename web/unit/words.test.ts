import assert from "node:assert/strict";
import test from "node:test";
import { TERMS, told } from "../help/terms";
import { bytesText, shortened, visible } from "../parts/cell_text";
import { secondsLeft } from "../parts/job";
import { LineReader, refusal, useToken } from "../api";
import { K_STEPS, obstacles, promises, sentence, stepsUpTo } from "../words";

const asked = (value: string, kind = "", column = "") => ({ value, kind, column });

test("each requirement is one plain sentence", () => {
  assert.equal(sentence("k", asked("10"), "records"), "Everybody looks like at least 9 others.");
  assert.equal(sentence("k", asked("10"), "people"), "Everybody looks like at least 9 other people.");
  assert.equal(sentence("k", asked("2"), "people"), "Everybody looks like at least 1 other person.");
  assert.equal(sentence("k", asked("1"), "people"), "Nobody needs to look like anybody else.");
  assert.equal(sentence("l", asked("3", "", "ill"), "people"), "In no group do more than 1 in 3 share the same value of “ill”.");
  assert.match(sentence("alpha", asked("0.25"), "people"), /more than 25 % of the people/);
  for (const key of ["l", "t", "alpha", "delta", "beta", "k_map", "presence"]) {
    for (const kind of ["", "distinct", "entropy", "recursive:3"]) assert.match(sentence(key, asked("0.5", kind), "records"), /^[A-Z].*\.$/);
  }
});

test("a spec's promises are all told, with persons where they are counted", () => {
  const spec = { columns: { id: "person", age: "quasi", ill: "sensitive" }, privacy: { k: "5", l: ["2", { value: "3", kind: "distinct" }] }, suppress: "0.05" };
  const said = promises(spec);
  assert.equal(said.length, 4);
  assert.match(said[0]!, /4 other people/);
  assert.match(said[3]!, /5 %/);
});

test("what keeps a spec from being run is named with its screen", () => {
  assert.deepEqual(obstacles({}, 2).map((o) => o.step), ["columns", "columns", "privacy"]);
  assert.deepEqual(obstacles({ columns: { age: "quasi" }, privacy: { k: "3" } }, 0), []);
  assert.deepEqual(obstacles({ columns: { age: "quasi" }, privacy: { k: { column: "own" } } }, 0), []);
  assert.deepEqual(obstacles({ columns: { age: "sensitive" }, privacy: { l: "3" } }, 1).length, 2);
});

test("steps go up to what can be met", () => {
  assert.deepEqual(stepsUpTo(K_STEPS, 12), [2, 3, 5, 8, 10, 12]);
  assert.deepEqual(stepsUpTo(K_STEPS, 1), []);
});

test("every term has a title, a text, and a page of the manual", () => {
  assert(TERMS.length >= 25);
  for (const term of TERMS) {
    const { title, paragraphs, docs } = told(term);
    assert(title.length > 3 && !title.startsWith("#"), term);
    assert(paragraphs.join(" ").length > 40, term);
    assert.match(docs, /^[a-z_/A-Z]+\.md(#.*)?$/);
  }
});

test("cells are shown without controls and marks of direction, and cut between characters", () => {
  assert.equal(visible("a\u202eb\nc\td\u0000e"), "a\ufffdb⏎c⇥d␀e");
  assert.equal(visible("<script>\"&'"), "<script>\"&'");
  assert.equal(shortened("abc", 3), "abc");
  assert.equal(shortened("abcd", 3), "abc…");
  assert.equal(shortened("ab😀d", 3), "ab…");
  assert.equal(bytesText(1_048_576), "1.0 MB");
  assert.equal(bytesText(12_000), "12 kB");
  assert.equal(bytesText(7), "7 bytes");
});

test("lines are put together from pieces, within characters, too", () => {
  const bytes = new TextEncoder().encode('{"a":"ä"}\n{"b":1}\n\n{"c":2}');
  const reader = new LineReader();
  const lines: string[] = [];
  for (let i = 0; i < bytes.length; i++) lines.push(...reader.take(bytes.slice(i, i + 1), false));
  lines.push(...reader.take(undefined, true));
  assert.deepEqual(lines, ['{"a":"ä"}', '{"b":1}', '{"c":2}']);
});

test("a refusal is told in the server's words, or by its number", () => {
  const told = refusal(422, '{"error": {"status": "format", "message": "A row is short.", "line": 7}, "mistakes": [{"message": "x"}]}');
  assert.equal(told.message, "A row is short.");
  assert.equal(told.error.line, 7);
  assert.equal(told.mistakes.length, 1);
  assert.match(refusal(401, "nope").message, /token/);
  assert.match(refusal(500, "").message, /500/);
});

test("the token stays in this tab's storage", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v) };
  assert.equal(useToken(null, storage), false);
  assert.equal(useToken("abc", storage), true);
  assert.equal(useToken(null, storage), true);
  assert.deepEqual([...kept.values()], ["abc"]);
});

test("the time left is told only when there is something to go by", () => {
  assert.equal(secondsLeft({ fraction: 0.05, seconds: 100 }), "");
  assert.equal(secondsLeft({ fraction: 0.5, seconds: 1 }), "");
  assert.equal(secondsLeft({ fraction: 0.5, seconds: 10 }), "10 s");
  assert.equal(secondsLeft({ fraction: 0.25, seconds: 100 }), "5 min");
  assert.equal(secondsLeft({ fraction: 1, seconds: 10 }), "");
});
