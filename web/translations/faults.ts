import { IntlMessageFormat } from "intl-messageformat";
import type { TextsByKey } from "./catalogues.ts";

/** The kinds of parts in a parsed text: words, a name, and a name that counts. */
const [WORDS, NAME, COUNT, NUMBER_SIGN] = [0, 1, 6, 7];

type Part = {
  readonly type: number;
  readonly value?: string;
  readonly offset?: number;
  readonly options?: Readonly<Record<string, { readonly value: readonly Part[] }>>;
};

/** A text as the reference implementation of ICU reads it. */
export function icuOf(text: string, language: string): IntlMessageFormat {
  return new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
}

/** The faults of a translation: keys that are missing or left over, empty texts, and names that differ. */
export function findTranslationFaults(english: TextsByKey, translated: TextsByKey): string[] {
  const left = [...translated.keys()].filter((key) => !english.has(key)).map((key) => `${key}: left over`);
  const wrong = [...english].flatMap(([key, original]) => {
    const text = translated.get(key);
    const fault = text === undefined ? "missing" : faultOf(original, text);
    return fault === undefined ? [] : [`${key}: ${fault}`];
  });
  return [...left, ...wrong];
}

/** The fault of one translated text; undefined if it has none. */
export function faultOf(english: string, text: string): string | undefined {
  if (text.trim() === "") return "empty";
  try {
    const [needed, named] = [namesOf(english), namesOf(text)].map((names) => names.sort().join(", "));
    return needed === named
      ? undefined
      : `has the names ${named || "of none"} instead of ${needed || "none"}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The names in a text of ICU MessageFormat, as often as they stand in it.
 *
 * @throws Error for a text that is malformed, or has what the pages do not read
 */
function namesOf(text: string): string[] {
  const parts = icuOf(text, "en").getAst() as readonly Part[];
  return parts.flatMap((part) => {
    if (part.type === WORDS) return [];
    if (part.type !== NAME) checkForms(part);
    return [part.value ?? ""];
  });
}

/** Forms have words and the number alone, and the general one is the last. */
function checkForms({ type, offset, options = {} }: Part): void {
  if (type !== COUNT || offset !== 0) throw new Error("only {name} and {name, plural, …} are read");
  const isSimple = Object.entries(options).every(
    ([rule, { value }]) =>
      /^[a-z]+$/.test(rule) && value.every((part) => part.type === WORDS || part.type === NUMBER_SIGN),
  );
  if (!isSimple) throw new Error("a plural form has only words and #");
  if (Object.keys(options).at(-1) !== "other") throw new Error("the form `other` is the last");
}
