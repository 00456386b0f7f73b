import { createHash } from "node:crypto";
import { BLACK, contrastOf, parseColor, type Rgb, textOn, toHex, WHITE } from "@daric/runtime/colour";

/** The surfaces behind text of the accent colour, equal to --surface of the stylesheet. */
const LIGHT_SURFACE: Rgb = [255, 255, 255];
const DARK_SURFACE: Rgb = [24, 27, 32];
/** WCAG 2.2, 1.4.3: text against its background. */
const TEXT_CONTRAST = 4.5;
/** Below this a colour is invisible on its surface. */
const SEEN_CONTRAST = 1.5;
const MIX_STEPS = 20;
const DEFAULT_ACCENT = "#0f766e";

/**
 * Derives the page's colours from a merchant's accent colour, light and dark. `--brand` is the chosen colour,
 * with the text colour for it. `--accent` is moved towards black or white to a contrast of 4.5:1. `--rim` is
 * an edge for a brand that is invisible on its surface. Anything but `#rrggbb` gives the default colour, so
 * no text of a merchant enters the sheet.
 */
export function themeOf(accentColor: string): Sheet {
  const brand = parseColor(accentColor) ?? (parseColor(DEFAULT_ACCENT) as Rgb);
  const light = readableAgainst(brand, LIGHT_SURFACE, BLACK);
  const dark = readableAgainst(brand, DARK_SURFACE, WHITE);
  const css =
    `:root{--brand:${toHex(brand)};--on-brand:${toHex(textOn(brand))};--accent:${toHex(light)};--rim:${rimOn(LIGHT_SURFACE, brand)}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${toHex(dark)};--rim:${rimOn(DARK_SURFACE, brand)}}}`;
  return sheetOf(css);
}

/**
 * The WCAG contrast ratio of two colours `#rrggbb`: 1 to 21.
 *
 * @throws TypeError on any other text.
 */
export function contrast(one: string, other: string): number {
  const first = parseColor(one);
  const second = parseColor(other);
  if (first === undefined || second === undefined) throw new TypeError("a colour must be #rrggbb");
  return contrastOf(first, second);
}

function rimOn(surface: Rgb, brand: Rgb): string {
  return contrastOf(brand, surface) < SEEN_CONTRAST ? "var(--text)" : "initial";
}

/** The colour nearest to `color`, on the way to `extreme`, that has text contrast with `surface`. */
function readableAgainst(color: Rgb, surface: Rgb, extreme: Rgb): Rgb {
  for (let step = 0; step < MIX_STEPS; step += 1) {
    const mixed = mix(color, extreme, step / MIX_STEPS);
    if (contrastOf(mixed, surface) >= TEXT_CONTRAST) return mixed;
  }
  return extreme;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** An inline style sheet, with the hash that a content security policy allows. */
export type Sheet = { readonly css: string; readonly cspHash: string };

export function sheetOf(css: string): Sheet {
  return { css, cspHash: `sha256-${createHash("sha256").update(css).digest("base64")}` };
}
