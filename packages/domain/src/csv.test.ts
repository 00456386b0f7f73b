import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvMarks, type CsvReader, csvWriter } from "./csv.ts";

const columns = ["order_ref", "label", "amount", "created_at", "metadata"] as const;
type Row = Partial<Record<(typeof columns)[number], unknown>>;

function fileOf(rows: readonly Row[], reader: CsvReader = "person"): string {
  const { heading, line } = csvWriter(columns, reader);
  return heading + rows.map((row) => line(row)).join("");
}

/** The cells of a file as a spreadsheet sees them that splits by this separator; it knows quotes at the start of a cell only. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  let rest = file.replace(/^\uFEFF/, "");
  while (rest !== "") {
    const [, inQuotes = ""] = /^"((?:[^"]|"")*)"/.exec(rest) ?? [];
    const isQuoted = rest.startsWith('"') && rest.length > inQuotes.length + 1;
    rest = isQuoted ? rest.slice(inQuotes.length + 2) : rest;
    const end = rest.search(new RegExp(`[${separator}\r\n]`));
    const tail = end === -1 ? rest : rest.slice(0, end);
    cells.push((isQuoted ? inQuotes.replaceAll('""', '"') : "") + tail);
    rest = end === -1 ? "" : rest.slice(end + 1);
  }
  return cells;
}

/** A number may begin with its sign. */
const isFormula = (cell: string) => /^\s*[=+\-@＝＋－＠]/u.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell);
const separators = [",", ";", "\t"];

const attack = "=cmd|'/C calc'!A0";
const hostile = ["", ...",;\t\n\r\"'", " ", ", ", '";', "\r\n", "a;b,"].flatMap((before) =>
  [attack, "+1+1", "-1+1", "@SUM(1)", '=HYPERLINK("http://127.0.0.1/")', "＝1+1"].map(
    (formula) => before + formula,
  ),
);

describe("a file of CSV", () => {
  it("begins with the mark of UTF-8 and quotes each text", () => {
    const file = fileOf([{ order_ref: 'Заказ "А"', label: "a, b" }]);
    expect(Buffer.from(file).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(file.split("\r\n")[1]).toBe('"Заказ ""А""","a, b",,,');
  });

  it.each(hostile)("has no formula in %j, whichever separator a spreadsheet splits by", (text) => {
    const metadata = { [text]: text, list: [text] };
    for (const separator of separators) {
      const cells = cellsOf(fileOf([{ order_ref: text, label: text, metadata }]), separator);
      expect(cells.filter(isFormula)).toEqual([]);
    }
  });

  it("has no formula in any text, whichever separator a spreadsheet splits by", () => {
    const pieces = fc.constantFrom(..."=+-@,;\t\n\r\"' a1", "\u00A0", "＝");
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 12 }), (text) => {
        for (const separator of separators) {
          const file = fileOf([{ order_ref: text, label: text, metadata: { text } }]);
          expect(cellsOf(file, separator).filter(isFormula)).toEqual([]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "00017",
    "1E5",
    "1e+5",
    "12345678901234567890",
    "1-2",
    "2026-11",
    "3/4",
    "1.200,50",
    "10:30",
    "10:30 PM",
    "50%",
    "$5",
    "(5)",
    "1 200",
    "MAR1",
    "OCT-17",
    "1 mai 2026",
    "true",
    "٠٠١٧",
    "2026-11-28T19:12:01Z",
    "3月5日",
    "2026年3月5日",
    "三月五日",
    "令和5年1月1日",
    "R5.1.1",
    "3월 5일",
    "5 марта",
    "марта 5",
    "مارس ٥",
    "5 Şub",
    "Şub-5",
    "března 5",
    "%50",
    "½",
    "R$ 5",
    "5 €",
    "kr 5",
    "EUR 5",
    "WAHR",
    "ИСТИНА",
    "1042-DE",
    "12 USDT",
  ])("keeps the text %s as it was typed: the cell is no number and no date", (text) => {
    expect(fileOf([{ order_ref: text }]).split("\r\n")[1]).toBe(`"\t${text}",,,,`);
    expect(fileOf([{ order_ref: text }], "program").split("\r\n")[1]).toBe(`"${text}",,,,`);
  });

  it.each([
    "A-1042",
    "INV-2026-001",
    "E-17",
    "Order 5",
    "S-1",
    "#78",
    "maria",
    "заказ",
    "019ab3c4-0000-7000-8000-000000000001",
  ])("writes the text %s alone: no spreadsheet converts it", (text) => {
    expect(fileOf([{ order_ref: text }]).split("\r\n")[1]).toBe(`"${text}",,,,`);
  });

  it("has amounts as numbers, and times as a spreadsheet reads them, with UTC in the heading", () => {
    const row = { amount: "-25.5", created_at: "2026-11-28T19:12:01.123Z" };
    expect(fileOf([row])).toBe(
      '\uFEFF"order_ref","label","amount","created_at (UTC)","metadata"\r\n,,-25.5,2026-11-28 19:12:01,\r\n',
    );
  });

  it.each(["=1+1", "+49 30", "-5", "@name", "3月5日", "a;=b"])(
    "for programs has the text %s as it was typed",
    (text) => {
      expect(fileOf([{ order_ref: text, label: text }], "program").split("\r\n")[1]).toBe(
        `"${text}","${text}",,,`,
      );
    },
  );

  it("for programs has no mark, and names and times of the API", () => {
    const row = { amount: "25.5", created_at: "2026-11-28T19:12:01.123Z", metadata: { a: 1 } };
    expect(fileOf([row], "program")).toBe(
      '"order_ref","label","amount","created_at","metadata"\r\n,,25.5,2026-11-28T19:12:01.123Z,"{""a"":1}"\r\n',
    );
  });
});

describe("the marks of a country", () => {
  const fileWith = (marks: CsvMarks, amount: string) => {
    const { heading, line } = csvWriter(["order_ref", "amount"], "program", marks);
    return heading + line({ order_ref: "a;b,c\td", amount });
  };

  it("stand between columns and in numbers, and in no text", () => {
    expect(fileWith({ separator: ";", decimal: "," }, "-12.5")).toBe(
      '"order_ref";"amount"\r\n"a;b,c\td";-12,5\r\n',
    );
    expect(fileWith({ separator: "tab", decimal: "." }, "12.5")).toBe(
      '"order_ref"\t"amount"\r\n"a;b,c\td"\t12.5\r\n',
    );
  });

  it("keep a number in one cell where they are the same", () => {
    expect(fileWith({ separator: ",", decimal: "," }, "12.5")).toContain(',"12,5"\r\n');
  });
});
