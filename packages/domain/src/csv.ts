/** A person opens the file in a spreadsheet, which converts texts; a program parses it, and gets each text as it was typed. */
export type CsvReader = "person" | "program";

/** A spreadsheet takes a file that begins so for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The signs by which a country's spreadsheets read a file. The first of each are those of RFC 4180. */
export const csvSeparators = { ",": ",", ";": ";", tab: "\t" } as const;
export const decimalMarks = [".", ","] as const;
export type CsvMarks = {
  readonly separator: keyof typeof csvSeparators;
  readonly decimal: (typeof decimalMarks)[number];
};
const RFC_4180: CsvMarks = { separator: ",", decimal: "." };

/** Columns of money, rates and counts; the values of any other column are texts or times. */
export const isNumberColumn = (name: string) =>
  /(?:^|_)(?:amount|received|balance|rate|paid|cost|price|difference|debit|credit|values)$/.test(name);
export const isTimeColumn = (name: string) => /(?:^|_)(?:at|time)$/.test(name);

export const NUMBER = /^-?\d+(?:\.\d+)?$/;
const UTC_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/**
 * Where a cell of any spreadsheet may begin with a formula: after the start, a separator of any country, a line break or a quote. The last
 * four signs are full-width forms, which some spreadsheets read as the first four.
 */
const FORMULA = /(^|[,;"\t\n\v\f\r\u0085\u2028\u2029])([ \u00A0\u3000]*)([=+\-@＝＋－＠])/gu;

/** Ids and hashes of the service: hex digits that no spreadsheet takes for a number. */
const HEX = /^(?=.*[a-df])[0-9a-f-]{36,64}$/;
/** Addresses of the chain: none is a number or a date, and a wallet that reads the file takes no other text. */
const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
/** Months of languages with Latin letters, by the first three letters. */
const MONTHS =
  /^(?:abr|ago|agu|ağu|aoû|apr|ara|aug|aut|avg|avq|avr|bře|chw|cze|dec|déc|dek|des|det|dez|dic|dis|ene|eyl|feb|fev|fév|gen|giu|gru|hel|huh|hul|hun|iul|iun|iyl|iyn|jan|jul|jún|júl|jūl|jūn|jui|jun|juu|kas|kol|kov|kvě|kwi|led|lie|lip|lis|lok|lug|lut|mac|mag|mai|maa|maj|mar|mär|maw|may|maí|med|meh|mei|mrt|máj|már|nis|nob|noi|nov|noy|nën|oca|oct|ogo|okt|ots|ott|out|ožu|paź|peb|pro|qer|rha|ruj|rug|set|sep|shk|sie|sij|srp|sty|sau|svi|syy|sze|şub|tac|tam|tem|tet|thg|thá|tou|úno|vas|wrz|yan|zář|čer|čvc|čvn|říj)/i;
/** Signs of currencies that are letters, and the letters of Japan's eras, before a digit. */
const SIGNS =
  /^(?:[a-z]{1,3}\p{Sc}|(?:[a-z]{3}|r|kr|rp|rs|rm|zł|kč|ft|lei|tl|bs|fr)\.? ?\d[\d.,]*$|[mtshr]\d+[./-]\d+[./-])/iu;
/** The truth values of spreadsheets. */
const TRUTH =
  /^(?:true|false|wahr|falsch|vrai|faux|vero|falso|verdadero|verdadeiro|waar|onwaar|prawda|fałsz|sant|sann|sand|falskt|falsk|usann|tosi|epätosi|pravda|nepravda|igaz|hamis|doğru|yanlış|adevărat|fals|истина|ложь|真|假)$/i;

/** Writes the first line of a file, and a line for each row. */
export type CsvWriter = {
  readonly heading: string;
  line(row: Readonly<Record<string, unknown>>): string;
};

/** The one writer of CSV (RFC 4180, by default with its marks). A number whose decimal mark is the separator is quoted. */
export function csvWriter(
  columns: readonly string[],
  reader: CsvReader,
  { separator, decimal }: CsvMarks = RFC_4180,
): CsvWriter {
  const nameOf = (column: string) =>
    reader === "person" && isTimeColumn(column) ? `${column} (UTC)` : column;
  const mark = reader === "person" ? BYTE_ORDER_MARK : "";
  const lineOf = (cells: readonly string[]) => `${cells.join(csvSeparators[separator])}\r\n`;
  const numberOf = (text: string) => {
    if (decimal === "." || !text.includes(".")) return text;
    const marked = text.replace(".", decimal);
    return decimal === separator ? quoted(marked) : marked;
  };
  return {
    heading: mark + lineOf(columns.map((column) => quoted(nameOf(column)))),
    line: (row) => lineOf(columns.map((column) => cellOf(row[column], { column, reader, numberOf }))),
  };
}

type Cell = {
  readonly column: string;
  readonly reader: CsvReader;
  readonly numberOf: (text: string) => string;
};

function cellOf(value: unknown, { column, reader, numberOf }: Cell): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (isNumberColumn(column) && NUMBER.test(text)) return numberOf(text);
  if (isTimeColumn(column) && UTC_TIME.test(text))
    return reader === "person" ? text.replace(UTC_TIME, "$1 $2") : text;
  return quoted(reader === "person" ? keptAsTyped(harmless(text)) : text);
}

/** Puts `'` before each sign that may begin a formula, whichever separator a spreadsheet splits by. */
function harmless(text: string): string {
  return text.replace(FORMULA, "$1$2'$3");
}

/** Puts a tab, which a spreadsheet does not show, before a text that a spreadsheet of some language may convert. */
function keptAsTyped(text: string): string {
  return isConverted(text) ? `\t${text}` : text;
}

/** Whether a text may be read as a number, date, time, percentage or truth value. A tab before another text does no harm. */
function isConverted(text: string): boolean {
  if (HEX.test(text) || ADDRESS.test(text)) return false;
  const isDigitFirst = /^[^\p{L}#№']*\p{N}/u.test(text) || /^[〇零一二三四五六七八九十]+[年月]/u.test(text);
  if (isDigitFirst || TRUTH.test(text)) return true;
  const isOtherScript = /^(?=.*\p{L})\P{sc=Latn}+$/su.test(text);
  return /\p{N}/u.test(text) && (isOtherScript || MONTHS.test(text) || SIGNS.test(text));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
