import type { Branding } from "@daric/domain/checkout";
import { type Html, html } from "@daric/runtime/html";
import type { Language } from "../messages/languages.ts";

/** The operator of a page, where several merchants share one host. A payer reports the page to the contact. */
export type Operator = { readonly host: string; readonly contact: string };

/** Whose page it is and where to report it, where one host serves several shops. */
export function operatorPart(page: {
  readonly operator?: Operator | undefined;
  readonly merchant: Pick<Branding, "name">;
  readonly language: Language;
}): Html | null {
  const { operator, merchant, language } = page;
  if (operator === undefined) return null;
  const { paymentToBy, report } = language.messages.page;
  return html`<p>${paymentToBy({ shop: merchant.name, host: operator.host })}<br><a href="${operator.contact}" target="_blank" rel="noopener noreferrer">${report}</a></p>`;
}
