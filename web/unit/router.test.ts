import assert from "node:assert/strict";
import test from "node:test";
import { parseRoute, routeText, tokenIn, withoutToken } from "../router";

test("the token is found in the fragment, alone or behind a route, and taken out of it", () => {
  assert.equal(tokenIn("#token=aB3_-x"), "aB3_-x");
  assert.equal(tokenIn("#/columns/age?token=abc"), "abc");
  assert.equal(tokenIn("#/data&token=abc&x=1"), "abc");
  assert.equal(tokenIn("#/columns/mytoken=3"), null);
  assert.equal(tokenIn("#/data"), null);
  assert.equal(withoutToken("#token=abc"), "");
  assert.equal(withoutToken("#/columns/age?token=abc"), "#/columns/age");
});

test("routes survive the way into the address and back, whatever a column is called", () => {
  for (const detail of ["", "age", "a/b", "50 %", "<script>", "ä#&?=", "..", "__proto__", "‮x"]) {
    assert.deepEqual(parseRoute(routeText({ step: "columns", detail })), { step: "columns", detail });
  }
});

test("what is no step is the first one, and broken escapes are taken as they stand", () => {
  assert.deepEqual(parseRoute(""), { step: "data", detail: "" });
  assert.deepEqual(parseRoute("#/nowhere/x"), { step: "data", detail: "" });
  assert.deepEqual(parseRoute("#/columns/%E0%A4%A"), { step: "columns", detail: "%E0%A4%A" });
});
