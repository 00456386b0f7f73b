/** The longest text that is read as an amount. */
const MAX_CHARS = 80;

/** Names of currencies in the languages of the pages, with codes and signs. A text with any other word is no amount. */
const CURRENCY =
  /US\$|[$₮]|(?<!\p{L})(?:USDT|USD|TRX|tethers?|tron|dollars?|d[oó]lar(?:es)?|đô la)(?!\p{L})|доллар(?:ов|а|ы)?|тезер|دولار|دلار|تتر|美元|美金|泰达币|波场币/giu;

const FIRST_DIGITS = [0x0660, 0x06f0];

/** The marks of numbers in a language, as they are shown. */
export type NumberMarks = { readonly decimal: string; readonly group: string };

/**
 * Every amount that a person may mean by a text, as plain decimals. One mark before exactly three digits may begin a group or a
 * fraction: then there are two, the larger first. Of two marks the last begins the fraction. None: the text is no amount.
 */
export function readingsOf(text: string): readonly string[] {
  const number = /^(\d{0,16})((?:[.,' ٫٬]\d{1,80}){0,20})[.,٫]?$/u.exec(plainText(text));
  if (number === null) return [];
  const [, first = "", rest = ""] = number;
  const parts = [...rest.matchAll(/(.)(\d+)/gu)].map(([, mark = "", digits = ""]) => ({ mark, digits }));
  const readings = [grouped(first, parts), fractional(first, parts)].filter(
    (reading) => reading !== undefined,
  );
  return [...new Set(readings)];
}

/** The amount that a form reads. `other` is set where the text can as well mean that amount: the form has to ask. */
export type TypedAmount = { readonly amount: string; readonly other?: string };

/** The amount that a reader of a language means; undefined if the text is no amount. The language's own marks decide between two. */
export function readTypedAmount(text: string, { decimal, group }: NumberMarks): TypedAmount | undefined {
  const [larger, smaller] = readingsOf(text);
  if (larger === undefined) return undefined;
  if (smaller === undefined) return { amount: larger };
  const mark = /[.,]/.exec(plainText(text))?.[0];
  if (mark === group) return { amount: larger };
  if (mark === decimal) return { amount: smaller };
  return { amount: larger, other: smaller };
}

/** Digits of every script as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    return String(code - (FIRST_DIGITS.findLast((first) => first <= code) ?? 0));
  });
}

/** The number alone: one form of each digit, mark and blank, and no name of a currency, control or direction mark. */
function plainText(text: string): string {
  if (text.length > MAX_CHARS) return "";
  // A slash is the decimal mark of Persian keyboards.
  const persian = text.replace(/(?<=[٠-٩۰-۹])\/(?=[٠-٩۰-۹])/gu, "٫");
  return asciiDigits(persian.normalize("NFKC"))
    .replace(/\p{Cf}/gu, "")
    .replace(CURRENCY, " ")
    .replace(/[،、]/gu, ",")
    .replace(/。/gu, ".")
    .replace(/[’‘ʼ´`′ʹ]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/^\+ ?(?=\d)/u, "");
}

type Part = { readonly mark: string; readonly digits: string };

/** The number with groups alone, or with groups and a fraction after another mark. */
function grouped(first: string, parts: readonly Part[]): string | undefined {
  const [opening] = parts;
  if (opening === undefined) return first === "" ? undefined : decimalOf(first, "");
  const last = parts.at(-1);
  const hasFraction = last !== undefined && last.mark !== opening.mark && ".,٫".includes(last.mark);
  const groups = hasFraction ? parts.slice(0, -1) : parts;
  if (opening.mark === "٫" || !isGrouping(first, groups)) return undefined;
  return decimalOf(first + groups.map(({ digits }) => digits).join(""), hasFraction ? last.digits : "");
}

/** Groups of three digits after one to three, or those of India, with commas: 12,34,567. All have the same mark. */
function isGrouping(first: string, groups: readonly Part[]): boolean {
  const [opening] = groups;
  if (!/^[1-9]\d{0,2}$/.test(first) || groups.some(({ mark }) => mark !== opening?.mark)) return false;
  if (groups.at(-1)?.digits.length !== 3) return false;
  const before = groups.slice(0, -1).map(({ digits }) => digits.length);
  const isIndian = opening?.mark === "," && first.length < 3 && before.every((length) => length === 2);
  return isIndian || before.every((length) => length === 3);
}

/** The number with a fraction after its only mark. */
function fractional(first: string, parts: readonly Part[]): string | undefined {
  const [part] = parts;
  if (part === undefined || parts.length > 1 || !".,٫".includes(part.mark)) return undefined;
  return decimalOf(first, part.digits);
}

function decimalOf(whole: string, fraction: string): string {
  const kept = fraction.replace(/(?<!0)0+$/, "");
  return (whole.replace(/^0+(?=\d)/, "") || "0") + (kept === "" ? "" : `.${kept}`);
}
