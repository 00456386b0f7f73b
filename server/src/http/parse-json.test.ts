import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "../domain/errors.ts";
import { parseJsonBody } from "./parse-json.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it("whatever is JSON and at most 8 deep is read as it is, anything deeper is refused", () => {
  fc.assert(
    fc.property(fc.json({ depthSize: "max", maxDepth: 12 }), (text) => {
      fc.pre(!text.includes("__proto__") && !text.includes("constructor"));
      const value: unknown = JSON.parse(text);
      if (depthOf(value) <= 8) expect(parseJsonBody(Buffer.from(text))).toEqual(value);
      else expect(() => parseJsonBody(Buffer.from(text))).toThrow("nested deeper than 8");
    }),
  );
});

it("arbitrary bytes are read or refused with INVALID_JSON, and nothing else happens", () => {
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
])("a key that an object of %s has twice is refused and named: nobody knows which was meant", (text, key) => {
  expect(() => bodyOf(text)).toThrow(`The request body says the key ${key} twice.`);
});

it("a key that comes twice is found behind texts of any length, and among many", () => {
  const keys = Array.from({ length: 4_000 }, (_, n) => `"key ${n}":"${n}"`).join();
  for (const [text, key] of [
    [`{"a":"${"x\\\\".repeat(20_000)}","b":1,"b":2}`, "b"],
    [`{${keys},"key 0":1}`, "key 0"],
  ] as const)
    expect(() => bodyOf(text)).toThrow(`says the key ${key} twice`);
});

it("objects beside and inside each other may have the same keys, and texts may look like keys", () => {
  for (const text of [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1","b":"a:1"}',
    '["a",":",{"a":"a"}]',
  ])
    expect(bodyOf(text)).toEqual(JSON.parse(text));
});
