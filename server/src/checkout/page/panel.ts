import { type Html, html } from "./html.ts";
import type { PageView } from "./view.ts";

/** In the order in which somebody tries them; `late` is refused with the reason until the order has expired. */
const CASES = ["exact", "under", "over", "twice", "wrong_coin", "late"] as const;

/**
 * On a devnet: buttons that have the chain itself pay this address, as the API's simulate does. They need the page's script,
 * which shows them. Nothing on any other network.
 */
export function panelPart({ network, charge, messages }: PageView): Html | null {
  if (network.testNetwork !== "devnet") return null;
  const { title, text, cases, sent, failed } = messages.panel;
  const buttons = CASES.map(
    (name) => html`<button type="button" data-case="${name}">${cases[name]}</button>`,
  );
  return html`<section class="panel" aria-labelledby="panel-title" data-simulate="../v1/checkout/${charge.checkoutToken}/simulate" data-sent="${sent}" data-failed="${failed}" hidden><h2 id="panel-title">${title}</h2><p>${text}</p><div class="cases">${buttons}</div><p class="answer" role="status" data-answer></p></section>`;
}
