import { asciiDigits } from "./typed-amount.ts";

/** The most characters of a term: those of an order reference. */
const MAX_CHARS = 120;
/** The most words of one payment: more than a reference, a label and most metadata have. */
const MAX_WORDS = 100;
/** Scripts that write words without blanks between them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu;
/** Letters that keyboards and positions in a word vary, as one. */
const LETTERS: Readonly<Record<string, string>> = { ς: "σ", ي: "ی", ى: "ی", ك: "ک" };

/**
 * A text without what the eye does not tell apart: case, width, composition, the script of digits, blanks, and invisible marks. It is
 * made here and never by the database, so that the locale of no database counts.
 */
export function foldText(text: string): string {
  return (
    asciiDigits(text.normalize("NFKC"))
      .replace(/\p{Cf}/gu, "")
      // By way of upper case ß is ss, and the dotless ı is i.
      .toUpperCase()
      .toLowerCase()
      .normalize("NFKC")
      .replace(/i\u0307/gu, "i")
      .replace(/[ςيىك]/gu, (letter) => LETTERS[letter] ?? letter)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim()
  );
}

/** The folded words of a text, in order. A text without blanks between its words gives each pair of neighbouring characters. */
export function wordsOf(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    const spaced = word.split(UNSPACED).filter((part) => part !== "");
    const pairs = (word.match(UNSPACED) ?? []).flatMap(pairsOf);
    return [...spaced.map(cut), ...pairs];
  });
}

/** Each character with the next one; the last stands alone, so that each character begins a term. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** A reference as one term, without the number sign and the quotes around it; undefined if nothing is left. */
export function wholeTerm(reference: string): string | undefined {
  const whole = foldText(reference.replaceAll("№", "#")).replace(
    /^[\s"'«»‹›“”„‘’`#]+|[\s"'«»‹›“”„‘’`]+$/gu,
    "",
  );
  return whole === "" ? undefined : `=${cut(whole)}`;
}

/** The term of an amount, a plain decimal: of a price, an order or a deposit, in any currency. */
export function amountTerm(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const kept = fraction.replace(/(?<!0)0+$/, "");
  return `$${whole}${kept === "" ? "" : `.${kept}`}`;
}

/** The term of the address that a deposit came from. */
export function senderTerm(address: string): string {
  return `@${address}`;
}

/** The texts of a payment that a search finds it by. */
export type SearchedTexts = {
  readonly orderRef: string | null;
  readonly customerRef: string | null;
  readonly label: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
};

/** The terms of the texts, each once. */
export function textTerms(texts: SearchedTexts): string[] {
  const { orderRef, customerRef, label, metadata } = texts;
  const whole = [orderRef, customerRef].flatMap((reference) => wholeTerm(reference ?? "") ?? []);
  const words = new Set<string>();
  for (const text of [orderRef, customerRef, label, ...Object.values(metadata ?? {})])
    for (const word of wordsOf(text ?? "")) if (words.size < MAX_WORDS) words.add(word);
  return [...new Set(whole), ...words];
}

/** The field that has all words of a search, the last of which may be the beginning of one; else one that has some; else undefined. */
export function fieldWithWords(
  { orderRef, customerRef, label, metadata }: SearchedTexts,
  words: readonly string[],
): "order reference" | "customer" | "label" | "metadata" | undefined {
  const fields = [
    ["order reference", wordsOf(orderRef ?? "")],
    ["customer", wordsOf(customerRef ?? "")],
    ["label", wordsOf(label ?? "")],
    ["metadata", Object.values(metadata ?? {}).flatMap(wordsOf)],
  ] as const;
  const found = words.map((word, index) =>
    fields.find(([, own]) =>
      own.some((part) => (index === words.length - 1 ? part.startsWith(word) : part === word)),
    ),
  );
  return found.includes(undefined) ? undefined : found.at(0)?.[0];
}

function cut(text: string): string {
  return text.length <= MAX_CHARS ? text : [...text].slice(0, MAX_CHARS).join("");
}
