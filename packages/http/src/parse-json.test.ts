import { ApiError } from "@daric/domain/errors";
import fc from "fast-check";
import { expect, it } from "vitest";
import { faultOfJson, parseJsonBody } from "./parse-json.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it("JSON at most 8 deep is parsed unchanged, deeper JSON is refused", () => {
  fc.assert(
    fc.property(fc.json({ depthSize: "max", maxDepth: 12 }), (text) => {
      fc.pre(!text.includes("__proto__") && !text.includes("constructor"));
      const value: unknown = JSON.parse(text);
      if (depthOf(value) <= 8) expect(parseJsonBody(Buffer.from(text))).toEqual(value);
      else expect(() => parseJsonBody(Buffer.from(text))).toThrow("nested deeper than 8");
    }),
  );
});

it("arbitrary bytes are parsed or refused with INVALID_JSON, with no other outcome", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        parseJsonBody(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).code).toBe("INVALID_JSON");
      }
    }),
  );
});

const bodyOf = (text: string): unknown => parseJsonBody(Buffer.from(text));

it.each([
  ['{"a":1,"a":2}', "a"],
  ['{"a":{"b":[1,{"c":1,"c":1}]}}', "c"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"":1,"":2}', ""],
  ['{"a:\\"":1,"b":":","a:\\"":2}', 'a:"'],
  [`{"${"x".repeat(99)}":1,"${"x".repeat(99)}":2}`, `${"x".repeat(40)}…`],
])("a key twice in an object of %s is refused and named, because its meaning is unknown", (text, key) => {
  expect(() => bodyOf(text)).toThrow(`The request body says the key ${key} twice.`);
});

it("a repeated key is found behind texts of any length, and among many keys", () => {
  const keys = Array.from({ length: 4_000 }, (_, n) => `"key ${n}":"${n}"`).join();
  for (const [text, key] of [
    [`{"a":"${"x\\\\".repeat(20_000)}","b":1,"b":2}`, "b"],
    [`{${keys},"key 0":1}`, "key 0"],
  ] as const)
    expect(() => bodyOf(text)).toThrow(`says the key ${key} twice`);
});

it("several objects may have the same keys, and strings may look like keys", () => {
  for (const text of [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1","b":"a:1"}',
    '["a",":",{"a":"a"}]',
  ])
    expect(bodyOf(text)).toEqual(JSON.parse(text));
});

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

it("a fault is found in exactly the texts that are not JSON, at the position where they stop being JSON", () => {
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
      // The text before the position can be completed, so it was parsed as JSON.
      expect(faultOfJson(text.slice(0, place))).toMatch(/^it ends too early/);
    }),
    { numRuns: 2_000 },
  );
});

it("a body of 64 kB is parsed to its end, however deep", () => {
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
