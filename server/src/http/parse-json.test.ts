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

it("of a key that is given twice the last one counts", () => {
  expect(parseJsonBody(Buffer.from('{"a":1,"a":2}'))).toEqual({ a: 2 });
});
