import { fileURLToPath } from "node:url";
import { type OpenedFont, openSync } from "fontkit";

/** The fonts of papers: one for Latin, Greek, Cyrillic and Vietnamese, one for Arabic and Persian, and the operator's own. */
export type FontName = "latin" | "arabic" | "own";

/** Letters of the Chinese papers. */
const CHINESE = "收据对账单付款";

const shipped = (name: string) => fileURLToPath(new URL(`../../fonts/${name}.ttf`, import.meta.url));

/** Fonts by name, with their files. */
export type Fonts = {
  readonly files: ReadonlyMap<FontName, string>;
  has(font: FontName, char: string): boolean;
};

/** The shipped fonts, and the operator's own where there is one. */
export function openFonts(own: string | undefined): Fonts {
  const files = new Map<FontName, string>([
    ["latin", shipped("NotoSans-Regular")],
    ["arabic", shipped("NotoSansArabic-Regular")],
    ...(own === undefined ? [] : [["own", own] as const]),
  ]);
  const opened = new Map([...files].map(([name, file]) => [name, openSync(file)]));
  return {
    files,
    has: (name, char) => opened.get(name)?.hasGlyphForCodePoint?.(char.codePointAt(0) ?? 0) ?? false,
  };
}

/** Why a file is no font for Chinese papers, as the end of a sentence; undefined if it is one. */
export function faultOfFont(path: string): string | undefined {
  let font: OpenedFont;
  try {
    font = openSync(path);
  } catch (cause) {
    const { code } = cause as { code?: string };
    return code === undefined ? "names a file that is no font" : `names a file that cannot be read: ${code}`;
  }
  if (font.hasGlyphForCodePoint === undefined)
    return "names a collection of fonts: take a file of one, TTF or OTF";
  const lacks = [...CHINESE].some((char) => !font.hasGlyphForCodePoint?.(char.codePointAt(0) ?? 0));
  return lacks ? "names a font without Chinese letters" : undefined;
}
