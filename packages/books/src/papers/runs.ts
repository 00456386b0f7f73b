import bidiFactory, { type Bidi } from "bidi-js";
import type { FontName, Fonts } from "./fonts.ts";

/** A piece of a line in one font and one direction, in the order of its letters; runs stand from left to right. */
export type TextRun = { readonly text: string; readonly font: FontName };

// Its types are those of its build for bundlers.
const bidi = (bidiFactory as unknown as () => Bidi)();
const isArabic = (char: string) => /(?!\p{Mark})\p{Script_Extensions=Arabic}/u.test(char);
/** Blanks, signs and the marks of letters are in the font before them. */
const isNeutral = (char: string) => /[\p{White_Space}\p{Punctuation}\p{Mark}]/u.test(char);

/** In place of a letter that no font has. */
const GAP = "?";
const isInvisible = (char: string) => /[\p{Default_Ignorable_Code_Point}\p{Control}]/u.test(char);

const [LTR_ISOLATE, OWN_ISOLATE, END_OF_ISOLATE] = ["\u2066", "\u2068", "\u2069"];

/** A text that is read from left to right within any other: an amount, a time, an id. */
export function ltrText(text: string): string {
  return `${LTR_ISOLATE}${text}${END_OF_ISOLATE}`;
}

/** A text in the direction of its own first letter, such as a name or an address. */
export function ownText(text: string): string {
  return `${OWN_ISOLATE}${text}${END_OF_ISOLATE}`;
}

type Leveled = { text: string; level: number; font: FontName };

/** Whether a text has a letter that no font has: it is shown as {@link GAP}. */
export function hasGap(text: string, fonts: Pick<Fonts, "has">): boolean {
  return [...text].some((char) => char !== GAP && drawnBy(char, fonts).char === GAP);
}

/** The font of a letter that stands alone, and the letter itself or what stands for it: nothing, a blank or a gap. */
function drawnBy(
  char: string,
  { has }: Pick<Fonts, "has">,
): { readonly char: string; readonly font: FontName } {
  const order = isArabic(char)
    ? (["arabic", "latin", "own"] as const)
    : (["latin", "own", "arabic"] as const);
  const font = order.find((name) => has(name, char));
  if (font !== undefined) return { char, font };
  if (isInvisible(char)) return { char: "", font: "latin" };
  return { char: /\s/u.test(char) ? " " : GAP, font: "latin" };
}

/**
 * The runs of a line as they are seen (UAX 9). A run of Arabic letters is turned by its font; any other is turned here. Each letter has the
 * first font that knows it.
 */
export function visualRuns(line: string, direction: "ltr" | "rtl", fonts: Pick<Fonts, "has">): TextRun[] {
  const levels = bidi.getEmbeddingLevels(line, direction);
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels);
  const runs: Leveled[] = [];
  let at = 0;
  for (const char of line) {
    const level = levels.levels[at] ?? 0;
    const last = runs.at(-1);
    const before = last?.level === level ? last : undefined;
    const text = mirrored.get(at) ?? char;
    at += char.length;
    if (char === LTR_ISOLATE || char === OWN_ISOLATE || char === END_OF_ISOLATE) continue;
    const isAsBefore =
      before !== undefined && isNeutral(char) && !isArabic(char) && fonts.has(before.font, text);
    const drawn = isAsBefore ? { char: text, font: before.font } : drawnBy(text, fonts);
    if (before !== undefined && (before.font === drawn.font || drawn.char === "")) before.text += drawn.char;
    else if (drawn.char !== "") runs.push({ text: drawn.char, level, font: drawn.font });
  }
  return inOrder(runs).map(({ text, level, font }) => ({
    text: level % 2 === 1 && font !== "arabic" ? [...text].toReversed().join("") : text,
    font,
  }));
}

/** Rule L2 on whole runs: from the highest level down, each sequence at that level or above is reversed. */
function inOrder(runs: readonly Leveled[]): Leveled[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
      start = end;
    }
  }
  return ordered;
}
