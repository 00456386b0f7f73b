import { describe, expect, it } from "vitest";
import { jsonText, message, parseJsonObject } from "./json-text.ts";

describe("jsonText", () => {
  it("prints int64 as bare digits of any length, or as strings on demand", () => {
    const tree = { amount: 9_223_372_036_854_775_807n, version: 36 };
    expect(jsonText(tree)).toBe('{"amount":9223372036854775807,"version":36}');
    expect(jsonText(tree, { int64AsString: true })).toBe('{"amount":"9223372036854775807","version":36}');
  });
});

describe("message", () => {
  it("leaves out every proto3 default but keeps an empty object and a list of one empty text", () => {
    const tree = message({ a: 0, b: 0n, c: "", d: false, e: [], f: undefined, g: {}, h: [""], i: 1n });
    expect(jsonText(tree)).toBe('{"g":{},"h":[""],"i":1}');
  });
});

describe("parseJsonObject", () => {
  it("keeps every digit of a long integer and leaves strings alone", () => {
    expect(parseJsonObject('{"a":9223372036854775807,"b":"x\\"12345678901234567890","c":12}')).toEqual({
      a: "9223372036854775807",
      b: 'x"12345678901234567890',
      c: 12,
    });
  });

  it("reads blank text as an empty object, and refuses other text that is no object", () => {
    expect(parseJsonObject(" ")).toEqual({});
    for (const text of ["[1]", "null", "1", "{"]) expect(parseJsonObject(text)).toBeUndefined();
  });

  it("refuses hostile text at once: a string of escaped quotes without an end", () => {
    const startedAt = performance.now();
    expect(parseJsonObject(`{"a":${'\\"'.repeat(500_000)}`)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
