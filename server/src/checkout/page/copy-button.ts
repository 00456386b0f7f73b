import type { ButtonLabel } from "../messages/catalogue.ts";
import { type Html, html } from "./html.ts";

/** A button that copies a text. Needs scripts, and is not shown where there are none. */
export function copyButton(button: {
  id: string;
  text: string;
  label: ButtonLabel;
  tone: "quiet" | "strong";
}): Html {
  const { shown, hidden } = button.label;
  const unseen = hidden === undefined ? null : html`<span class="visually-hidden"> ${hidden}</span>`;
  return html`<button class="copy ${button.tone}" id="${button.id}" type="button" data-copy="${button.text}"><svg viewBox="0 0 20 20" aria-hidden="true"><rect x="7" y="7" width="10" height="10" rx="2"/><path d="M13 4.5A1.5 1.5 0 0 0 11.5 3h-7A1.5 1.5 0 0 0 3 4.5v7A1.5 1.5 0 0 0 4.5 13"/></svg><span data-copy-label aria-live="polite">${shown}</span>${unseen}</button>`;
}
