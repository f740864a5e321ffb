// The few things of node that the unit tests use; the page itself has none of them.
declare module "node:test" {
  const test: (name: string, body: () => void | Promise<void>) => void;
  export default test;
}
declare module "node:assert/strict" {
  const assert: {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    throws(body: () => unknown): void;
    rejects(body: () => Promise<unknown>, expected?: RegExp): Promise<void>;
    match(actual: string, expected: RegExp): void;
  };
  export default assert;
}
