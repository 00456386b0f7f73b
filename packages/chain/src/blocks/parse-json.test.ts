import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, parseJsonExactly, parseJsonTexts, readExactly } from "./parse-json.ts";
import { AnswerError, readInt64, readList, readObject } from "./read-json.ts";

type Json = null | boolean | string | bigint | Json[] | { [key: string]: Json };

/** JSON as a node prints it: bare integers of any size, random blanks. */
function print(value: Json, blank: string): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => blank + print(item, blank)).join(",")}${blank}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${blank}${print(item, blank)}`,
  );
  return `{${blank}${members.join(`,${blank}`)}${blank}}`;
}

/** The expected result: integers are numbers below 16 digits, and bigints from there on. */
function expected(value: Json): unknown {
  if (typeof value === "bigint")
    return value.toString().replace("-", "").length >= 16 ? value : Number(value);
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]));
}

const digits = fc.stringMatching(/^[0-9]{14,30}$/);
const trickyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  digits,
  digits.map((text) => `[${text},"${text}":${text}\\`),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false),
    trickyText,
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    fc.bigInt({ min: -1000n, max: 10n ** 16n }),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(
      trickyText.filter((key) => key !== "__proto__"),
      tie("json"),
      { maxKeys: 4 },
    ),
  ),
}));

describe("parseJsonExactly", () => {
  it("reads any document without rounding an integer or changing a text", () => {
    fc.assert(
      fc.property(fc.array(json), fc.constantFrom("", " ", "\n\t"), (document, blank) => {
        expect(parseJsonExactly(print(document, blank))).toEqual(expected(document));
      }),
      { numRuns: 300 },
    );
  });

  it("agrees with JSON.parse if no long integer occurs", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}/.test(text));
        expect(parseJsonExactly(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("keeps fractions and exponents numbers", () => {
    expect(parseJsonExactly('{"a":0.1234567890123456,"b":1234567890123456e3,"c":9007199254740993}')).toEqual({
      a: 0.1234567890123456,
      b: 1234567890123456000,
      c: 9007199254740993n,
    });
  });

  it.each([
    "",
    "{",
    '{"a":12345678901234567',
    '["',
    "<html>",
    '{"a":00000000000000000001}',
    "[1234567890123456-7]",
  ])("refuses %j like JSON.parse", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    if (text !== '{"a":00000000000000000001}') expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
  });
});

describe("readExactly", () => {
  const readNumbers = (answer: unknown) =>
    readList(readObject(answer, "answer").numbers, "numbers").map((number) => readInt64(number, "a number"));

  it("reads every int64 exactly, whether JSON.parse rounds it or not", () => {
    const int64 = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    );
    fc.assert(
      fc.property(fc.array(int64), fc.boolean(), (numbers, isRemembered) => {
        const text = `{"numbers":[${numbers}],"other":1e400}`;
        const parsed = isRemembered ? parseJson(text) : parseJsonExactly(text);
        expect(readExactly(parsed, readNumbers)).toEqual(numbers);
      }),
    );
  });

  it("parses once if no integer was rounded", () => {
    const parsed = parseJson('{"numbers":[9007199254740991],"unread":9007199254740993}');
    const seen: unknown[] = [];
    readExactly(parsed, (answer) => {
      seen.push(answer);
      return readNumbers(answer);
    });
    expect(seen).toEqual([parsed]);
  });

  it.each(["9223372036854775808", "1e16", "-9007199254740993", "1.5", '"1"', "null"])(
    "refuses %s, which is no int64 that it may be",
    (number) => {
      expect(() => readExactly(parseJson(`{"numbers":[${number}]}`), readNumbers)).toThrow(AnswerError);
    },
  );

  it("keeps a text that looks like its own mark: payers choose some texts of a block", () => {
    const text = '{"numbers":[9007199254740993],"url":"\\u0001integer:x/protocol.TransferContract"}';
    const read = (answer: unknown) => [readNumbers(answer), readObject(answer, "answer").url];
    expect(readExactly(parseJson(text), read)).toEqual([
      [9_007_199_254_740_993n],
      "\u0001integer:x/protocol.TransferContract",
    ]);
  });

  it("refuses an answer that is nested too deep to be read exactly", () => {
    const nested = (depth: number) => {
      const deep = `${"[".repeat(depth - 1)}"[["${"]".repeat(depth - 1)}`;
      return readExactly(parseJson(`{"numbers":[9007199254740993],"deep":${deep}}`), readNumbers);
    };
    for (const depth of [501, 4_000, 100_000]) expect(() => nested(depth)).toThrow(AnswerError);
    expect(nested(500)).toEqual([9007199254740993n]);
  });

  it("refuses a rounded integer if the text is gone", () => {
    expect(() => readExactly({ numbers: [2 ** 53] }, readNumbers)).toThrow("was rounded");
  });

  it("hides the text: comparisons and enumerations do not see it", () => {
    const text = '{"numbers":[]}';
    expect(Object.keys(parseJson(text) as object)).toEqual(["numbers"]);
    expect(JSON.stringify(parseJson(text))).toBe(text);
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson("5")).toBe(5);
  });
});

describe("parseJsonTexts", () => {
  /** The result of JSON.parse, with each number as JSON.stringify prints it. */
  const numbersAsTexts = (value: unknown): unknown => {
    if (typeof value === "number") return JSON.stringify(value);
    if (Array.isArray(value)) return value.map(numbersAsTexts);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbersAsTexts(item)]));
  };

  it("returns every number as its text, and everything else like JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes("__proto__"));
        expect(parseJsonTexts(text)).toEqual(numbersAsTexts(JSON.parse(text)));
      }),
    );
  });

  it("keeps every digit, zeros and exponents too", () => {
    const text = '{"a":0.10000000000000000001,"b":[-1.50,1e-08,12345678901234567890],"c":"1.0","d":true}';
    expect(parseJsonTexts(text)).toEqual({
      a: "0.10000000000000000001",
      b: ["-1.50", "1e-08", "12345678901234567890"],
      c: "1.0",
      d: true,
    });
  });

  it.each([
    "",
    "1.",
    ".5",
    "01",
    "1,01",
    "+1",
    "1e",
    "NaN",
    "[1 2]",
    '{"a":1',
    "0x1",
    "1-1",
    "<html>1</html>",
  ])("refuses %j like JSON.parse", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parseJsonTexts(text)).toThrow(SyntaxError);
  });
});
