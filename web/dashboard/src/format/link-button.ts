import { BLACK, parseColor, textOn, toHex } from "@daric/runtime/colour";

/** A link that looks like a button. */
export type LinkButton = { readonly text: string; readonly url: string; readonly colour: string };
export const buttonPlaces = ["html", "wordpress", "markdown", "telegram"] as const;
export type ButtonPlace = (typeof buttonPlaces)[number];

/** Black or white, whichever reads better on the colour. */
export function textColourOn(colour: string): string {
  return toHex(textOn(parseColor(colour) ?? BLACK));
}

/** The code of the button for a place, without any script. Its text stays text there, whatever it is. */
export function buttonCode(place: ButtonPlace, button: LinkButton): string {
  return codes[place](button);
}

const codes: Readonly<Record<ButtonPlace, (button: LinkButton) => string>> = {
  html: ({ text, url, colour }) =>
    `<a href="${html(url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;` +
    `background:${colour};color:${textColourOn(colour)};font:600 16px/1.25 sans-serif;text-decoration:none">${html(text)}</a>`,
  // What the editor itself writes for a button of these colours: it refuses any other form of the block.
  wordpress({ text, url, colour }) {
    const own = { background: colour, text: textColourOn(colour) };
    return `<!-- wp:buttons -->
<div class="wp-block-buttons"><!-- wp:button ${JSON.stringify({ style: { color: own } })} -->
<div class="wp-block-button"><a class="wp-block-button__link has-text-color has-background wp-element-button" href="${html(url)}" style="color:${own.text};background-color:${own.background}">${withoutShortcodes(html(text))}</a></div>
<!-- /wp:button --></div>
<!-- /wp:buttons -->`;
  },
  markdown: ({ text, url }) => `[${text.replace(/[!-/:-@[-`{-~]/g, "\\$&")}](${url})`,
  telegram: ({ text, url }) => JSON.stringify({ inline_keyboard: [[{ text, url }]] }),
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function html(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** WordPress runs a word in square brackets. */
function withoutShortcodes(text: string): string {
  return text.replaceAll("[", "&#91;").replaceAll("]", "&#93;");
}
