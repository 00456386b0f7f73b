import { contactText } from "./contact.ts";
import { factRow } from "./facts.ts";
import { type Html, html } from "./html.ts";
import type { PageView } from "./view.ts";

/** What a receipt on paper says beside the page: where the money went, whom to ask, and where the page is. */
export function paperFacts(view: PageView): Html | null {
  if (!view.isReceipt) return null;
  const { charge, pageUrl, messages } = view;
  const texts = messages.receipt;
  const contact = contactText(view);
  const rows = [
    factRow(texts.paidTo, html`<code dir="ltr">${charge.address}</code>`),
    contact && factRow(texts.contact, html`<bdi>${contact}</bdi>`),
    pageUrl && factRow(texts.page, html`<bdi>${pageUrl}</bdi>`),
  ];
  return html`<dl class="facts paper">${rows}</dl>`;
}

/** Stands across each sheet of paper of a test network, so that no receipt of a test is taken for a real one. */
export function testMark({ messages: { page, receipt } }: PageView): Html {
  return html`<p class="paper test-mark"><strong>${page.test}</strong> - ${receipt.noValue}</p>`;
}
