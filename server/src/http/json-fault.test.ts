import fc from "fast-check";
import { expect, it } from "vitest";
import { faultOfJson } from "./json-fault.ts";

it.each([
  ["{a}", "unexpected a at position 1"],
  ["{'a':1}", "unexpected ' at position 1: texts stand in double quotes"],
  ['{"a":1,}', "unexpected } at position 7"],
  ['{"a" 1}', "unexpected 1 at position 5"],
  ['{"a":01}', "unexpected 0 at position 5"],
  ['{"a":tru}', "unexpected t at position 5"],
  ['{"a":1} x', "unexpected x at position 8"],
  ['{"a":1}}', "unexpected } at position 7"],
  [
    '{"a":"b\n"}',
    "the text that begins at position 5 does not end, or holds a line break or a wrong \\ escape",
  ],
  ['{"a":"b}', "the text that begins at position 5 does not end, or holds a line break or a wrong \\ escape"],
  ['["a" "b"]', 'unexpected " at position 5'],
  ["[1,]", "unexpected ] at position 3"],
  ["[1}", "unexpected } at position 2"],
  ["{]", "unexpected ] at position 1"],
  ['{"a":1', "it ends too early, at position 6"],
  ["  ", "it ends too early, at position 2"],
  ["😀", "unexpected 😀 at position 0"],
  ["\u0001", "unexpected \\u0001 at position 0"],
])("%j: %s", (text, fault) => {
  expect(faultOfJson(text)).toBe(fault);
});

it("a fault is seen in exactly those texts that are not JSON, at a place up to which they could be", () => {
  const piece = fc.constantFrom(
    ..."{}[]:,\"'ab0-1.e \n\\u".split(""),
    "true",
    "null",
    '"a"',
    "1.5e3",
    "\u007f",
  );
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!isJson(text));
      const place = Number(/position (\d+)/.exec(faultOfJson(text))?.[1]);
      expect(place).toBeLessThanOrEqual(text.length);
      // What stands before the place can be completed; that much was read as JSON.
      expect(faultOfJson(text.slice(0, place))).toMatch(/^it ends too early/);
    }),
    { numRuns: 2_000 },
  );
});

it("a body of 64 kB is read to its end, however deep", () => {
  for (const text of ["[".repeat(65_536), `"${"a".repeat(65_534)}`, `${"[1,".repeat(20_000)}]`]) {
    expect(faultOfJson(text)).toMatch(/position \d+/);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
