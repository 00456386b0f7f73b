/** A person opens the file in a spreadsheet; a program parses it. */
export type CsvReader = "person" | "program";

/** A spreadsheet takes a file that begins so for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Columns of money, rates and counts; the values of any other column are texts or times. */
const isNumberColumn = (name: string) => /(?:^|_)(?:amount|received|balance|rate|paid|cost)$/.test(name);
const isTimeColumn = (name: string) => /(?:^|_)(?:at|time)$/.test(name);

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const UTC_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/**
 * Where a cell of any spreadsheet may begin with a formula: after the start, a separator of any country, a line break or a quote. The last
 * four signs are full-width forms, which some spreadsheets read as the first four.
 */
const FORMULA = /(^|[,;"\t\n\v\f\r\u0085\u2028\u2029])([ \u00A0\u3000]*)([=+\-@＝＋－＠])/gu;

/** Letters within numbers, times and dates: an exponent, ISO 8601, halves of the day, and the months of languages with Latin letters. */
const LETTERS_OF_NUMBERS =
  /(?<=[\p{Nd}.,])e(?=[+-]?\p{Nd})|(?<=\p{Nd})(?:t(?=\p{Nd})|z$)|(?<=\p{Nd} ?)[ap]m$|(?<=\p{Nd} )[ap]$/giu;
const MONTHS =
  /(?<!\p{L})(?:jan|fe[bv]|fév|m[aä]r|mrz|a[pbv]r|ma[iyjg]|mei|ju[nilg]|lug|a[ug][gou]|aoû|set|sep|o[ck]t|out|ott|nov|de[csz]|déc|dic|ene|gen)\p{L}*/giu;
const NUMERAL = /^(?=.*\p{Nd})[\p{Nd}\p{Sc}\s.,:;'’/\\+−%()-]+$/u;

/** Writes the first line of a file, and a line for each row. */
export type CsvWriter = {
  readonly heading: string;
  line(row: Readonly<Record<string, unknown>>): string;
};

/** The one writer of CSV (RFC 4180). */
export function csvWriter(columns: readonly string[], reader: CsvReader): CsvWriter {
  const nameOf = (column: string) =>
    reader === "person" && isTimeColumn(column) ? `${column} (UTC)` : column;
  const mark = reader === "person" ? BYTE_ORDER_MARK : "";
  return {
    heading: mark + lineOf(columns.map((column) => quoted(nameOf(column)))),
    line: (row) => lineOf(columns.map((column) => cellOf(row[column], column, reader))),
  };
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

function cellOf(value: unknown, column: string, reader: CsvReader): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (isNumberColumn(column) && NUMBER.test(text)) return text;
  if (isTimeColumn(column) && UTC_TIME.test(text))
    return reader === "person" ? text.replace(UTC_TIME, "$1 $2") : text;
  return quoted(reader === "person" ? keptAsTyped(harmless(text)) : harmless(text));
}

/** Puts `'` before each sign that may begin a formula, whichever separator a spreadsheet splits by. */
function harmless(text: string): string {
  return text.replace(FORMULA, "$1$2'$3");
}

/** Puts a tab, which a spreadsheet does not show, before a text that would be converted. */
function keptAsTyped(text: string): string {
  const isNumeral = NUMERAL.test(text.replace(LETTERS_OF_NUMBERS, "").replace(MONTHS, ""));
  return isNumeral || /^(?:true|false)$/i.test(text) ? `\t${text}` : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
