import { contrastOf, parseColor, type Rgb, textOn, toHex } from "@daric/runtime/colour";
import type { Look } from "./draft.ts";

/** The surfaces of `mail-html.ts` behind a button, and an edge that is seen on each. */
const LIGHT = { surface: [255, 255, 255], edge: "#565f6c" } as const;
const DARK = { surface: [22, 25, 30], edge: "#a3adba" } as const;
/** Below this a colour is invisible on its surface. */
const SEEN_CONTRAST = 1.5;
const DEFAULT_ACCENT: Rgb = [15, 118, 110];

/** The look of a shop's mails. Anything but `#rrggbb` is the default colour, so no text of a merchant enters a style. */
export function shopLook(accentColor: string | null): Look {
  const brand = parseColor(accentColor ?? "") ?? DEFAULT_ACCENT;
  const fill = toHex(brand);
  const text = toHex(textOn(brand));
  const on = ({ surface, edge }: typeof LIGHT | typeof DARK) => ({
    line: fill,
    fill,
    text,
    edge: contrastOf(brand, surface) < SEEN_CONTRAST ? edge : fill,
  });
  return { light: on(LIGHT), dark: on(DARK) };
}

/** The tone of a message to a member. Its line has the colour of that tone in the dashboard. */
export type MessageTone = keyof typeof TONES;

const TONES = {
  good: { light: "#0a6e3f", dark: "#5bd699" },
  attention: { light: "#8a4f00", dark: "#f0b85f" },
  bad: { light: "#b3261e", dark: "#ff9a92" },
  neutral: { light: "#3a4fd0", dark: "#9dacff" },
} as const;

/** The look of our own messages: the colours of the dashboard. */
export function ownLook(tone: MessageTone): Look {
  const { light, dark } = TONES[tone];
  return {
    light: { line: light, fill: "#3a4fd0", text: "#ffffff", edge: "#3a4fd0" },
    dark: { line: dark, fill: "#9dacff", text: "#0d0f12", edge: "#9dacff" },
  };
}
