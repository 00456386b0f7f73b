import { type HtmlValue, html } from "@daric/runtime/html";
import type { Sentence } from "@daric/runtime/texts";

/** A value in a sentence, with a direction of its own: `auto` is that of its first letter. */
export type MailValue = { readonly value: string; readonly reads: "ltr" | "auto" };
/** A sentence with its values, for both parts of a mail. */
export type Words = readonly (string | MailValue)[];
export type Direction = "ltr" | "rtl";

/** Letters from right to left, in any of their scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const BROKEN_AT_HYPHENS = /^(?=\S{1,20}$).*-/;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];
/** Parts the values of a sentence from the words between them. */
const MARK = "\u0000";

/** An amount, a number or a code. */
export const ltr = (value: string): MailValue => ({ value, reads: "ltr" });
/** A name or a reference. */
export const anyText = (value: string): MailValue => ({ value, reads: "auto" });

/** An English sentence: say`Order ${anyText("A-17")} is paid.` */
export function say(strings: TemplateStringsArray, ...parts: readonly (MailValue | Words)[]): Words {
  return strings.flatMap((text, n) => [text, ...[parts[n] ?? []].flat()]);
}

/** A sentence of a catalogue, in the order of its language. */
export function sentence<Names extends string>(
  text: Sentence<Names>,
  values: Readonly<Record<Names, MailValue>>,
): Words {
  const marks = Object.keys(values).map((name) => [name, `${MARK}${name}${MARK}`]);
  const parts = text(Object.fromEntries(marks)).split(MARK);
  return parts.map((part, n) => (n % 2 === 1 ? values[part as Names] : part));
}

/** The sentence as plain text, with marks that isolate values only where they are needed. */
export function plainText(words: Words, direction: Direction): string {
  return words
    .map((part) => {
      if (typeof part === "string") return part;
      return isIsolated(part, direction) ? `${FIRST_STRONG_ISOLATE}${part.value}${POP_ISOLATE}` : part.value;
    })
    .join("");
}

/** The sentence as markup. A short reference is not broken at its hyphens. */
export function markupOf(words: Words, direction: Direction): HtmlValue {
  return words.map((part) => {
    if (typeof part === "string") return part;
    const { value, reads } = part;
    const dir = isIsolated(part, direction) && html` dir="${reads}"`;
    const style = BROKEN_AT_HYPHENS.test(value) && html` style="white-space:nowrap"`;
    return dir || style ? html`<span${dir}${style}>${value}</span>` : value;
  });
}

function isIsolated({ value }: MailValue, direction: Direction): boolean {
  return direction === "rtl" || RIGHT_TO_LEFT.test(value);
}
