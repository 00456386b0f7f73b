import { type Html, type HtmlValue, html } from "@daric/runtime/html";
import type { Sentence } from "@daric/runtime/texts";
import type { PageView } from "./view.ts";

/**
 * Text from left to right: from a Latin letter or a digit to another, with the blanks and signs between. A
 * sign at its end belongs to the text around it.
 */
const RUN =
  /([\p{Script=Latin}\p{Nd}](?:[\p{Script=Latin}\p{Nd}\p{Zs}.,:=·+@/'’-]*[\p{Script=Latin}\p{Nd}])?)/u;
const HAS_LETTER = /\p{Script=Latin}/u;
/** The digits of an amount, and its currency behind a blank that does not break. */
const AMOUNT = /(\p{Nd}(?:[\p{Nd}.,'’٫٬\u00a0\u202f]*\p{Nd})?)\u00a0(\p{Lu}{3,5})(?!\p{L})/u;

/**
 * Isolates the direction of amounts, coins and names in a text: a page from right to left would reverse `1
 * USD = 1.00 USDT` into another equation. On every page {@link unbroken} amounts.
 */
export function isolated({ language }: Pick<PageView, "language">, text: HtmlValue): HtmlValue {
  if (Array.isArray(text)) return text.map((part: HtmlValue) => isolated({ language }, part));
  if (typeof text !== "string") return text;
  if (language.direction === "ltr") return unbroken(text);
  return text
    .split(RUN)
    .map((part, n) => (n % 2 === 1 && HAS_LETTER.test(part) ? html`<bdi>${unbroken(part)}</bdi>` : part));
}

/**
 * Large letters on a narrow page break an amount between its digits and its currency, and never inside one: broken
 * digits read as another amount.
 */
function unbroken(text: string): HtmlValue {
  const parts = text.split(AMOUNT);
  if (parts.length === 1) return text;
  return parts.map((part, n) => {
    if (n % 3 === 0) return part;
    return html`<span class="whole">${part}</span>${n % 3 === 1 ? "\u00a0" : null}`;
  });
}

/** Parts the elements of {@link around} from the words between them. */
const MARK = "\u0000";

/** A text around elements of the page, in the order of its language: a list for `html`. */
export function around<Names extends string>(
  text: Sentence<Names>,
  elements: Readonly<Record<Names, HtmlValue>>,
): HtmlValue {
  const marks = Object.keys(elements).map((name) => [name, `${MARK}${name}${MARK}`]);
  const parts = text(Object.fromEntries(marks)).split(MARK);
  return parts.map((part, n) => (n % 2 === 1 ? elements[part as Names] : part));
}

/** A button with a short text; screen readers also read the hidden rest. */
type ButtonLabel = { readonly shown: string; readonly hidden?: string };

/** A button that copies a text. Scripts show it; without them it is hidden. */
export function copyButton(button: {
  id: string;
  text: string;
  label: ButtonLabel;
  tone: "quiet" | "strong";
}): Html {
  const { shown, hidden } = button.label;
  const unseen = hidden === undefined ? null : html`<span class="visually-hidden"> ${hidden}</span>`;
  return html`<button class="copy ${button.tone}" id="${button.id}" type="button" data-copy="${button.text}"><svg viewBox="0 0 20 20" aria-hidden="true"><rect x="7" y="7" width="10" height="10" rx="2"/><path d="M13 4.5A1.5 1.5 0 0 0 11.5 3h-7A1.5 1.5 0 0 0 3 4.5v7A1.5 1.5 0 0 0 4.5 13"/></svg><span data-copy-label>${shown}</span>${unseen}</button>`;
}

const ADDRESS_GROUP = /.{1,4}/g;

/** The address in groups of four, to compare by eye. Copied text has no blanks. */
export function addressInGroups(address: string): Html {
  const groups = (address.match(ADDRESS_GROUP) ?? []).map((group) => html`<span>${group}</span>`);
  return html`<p class="address" dir="ltr" translate="no">${groups}</p>`;
}

export function factRow(term: string, description: Html): Html {
  return html`<div><dt>${term}</dt><dd>${description}</dd></div>`;
}

/** A time in the page's language, with its zone. */
export function momentText({ figures }: Pick<PageView, "figures">, moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${figures.dateTime(moment)}</time>`;
}

/** Links to the other languages, each in its own words; nothing with only one. The address keeps the choice. */
export function languageLinks(
  { language, languages }: Pick<PageView, "language" | "languages">,
  addressIn: (tag: string) => string,
): Html | null {
  const others = languages.filter(({ tag }) => tag !== language.tag);
  if (others.length === 0) return null;
  const links = others.map(
    ({ tag, name }) => html`<li><a href="${addressIn(tag)}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  );
  return html`<nav class="languages" aria-label="${language.messages.page.otherLanguages}"><ul>${links}</ul></nav>`;
}

/** The lines of a merchant's text, each a paragraph: text, without markup or links. */
export function paragraphs(text: string | null): Html[] {
  const lines = (text ?? "").split(/\n+/).filter((line) => line.trim() !== "");
  return lines.map((line) => html`<p><bdi>${line}</bdi></p>`);
}
