import { type HtmlValue, html } from "./html.ts";
import type { PageView } from "./view.ts";

/**
 * What is written from left to right: from a Latin letter or a digit to another, with the blanks and signs between. A sign at
 * its end belongs to the text around it.
 */
const RUN =
  /([\p{Script=Latin}\p{Nd}](?:[\p{Script=Latin}\p{Nd}\p{Zs}.,:=·+@/'’-]*[\p{Script=Latin}\p{Nd}])?)/u;
const HAS_LETTER = /\p{Script=Latin}/u;

/**
 * A text of the page in which amounts, coins and names keep their own direction. A browser would let a page from right to left turn
 * `1 USD = 1.00 USDT` about, digit for digit right and yet another equation. Other pages get the text as it is.
 */
export function isolated({ language }: Pick<PageView, "language">, text: HtmlValue): HtmlValue {
  if (language.direction === "ltr") return text;
  if (Array.isArray(text)) return text.map((part: HtmlValue) => isolated({ language }, part));
  if (typeof text !== "string") return text;
  return text
    .split(RUN)
    .map((part, n) => (n % 2 === 1 && HAS_LETTER.test(part) ? html`<bdi>${part}</bdi>` : part));
}
