/** The part of fontkit that papers use; it has no types of its own. */
declare module "fontkit" {
  /** A font. A collection of fonts has no letters of its own. */
  export type OpenedFont = { hasGlyphForCodePoint?(code: number): boolean };
  export function openSync(path: string): OpenedFont;
}
