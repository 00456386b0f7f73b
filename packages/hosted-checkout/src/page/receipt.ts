import { MAX_EMAIL_CHARS } from "@daric/domain/email";
import { type Html, html } from "@daric/runtime/html";
import { isolated } from "./elements.ts";
import { queryOf } from "./frame.ts";
import type { PageInput, PageView } from "./view.ts";

export const EXAMPLE_ADDRESS = "ada@mail.example";
const STATES: readonly string[] = ["awaiting", "confirming", "underpaid", "paid", "overpaid"];

/** Whether a page takes an address for the receipt. It says nothing of an address that is known already. */
export function offersReceipt({
  charge,
  projection,
  record,
}: Pick<PageInput, "charge" | "projection" | "record">): boolean {
  return charge.kind === "order" && STATES.includes(projection.state) && !record.otherPage?.takesPlace;
}

/** The form "get the receipt by e-mail", folded up at first. It never shows an address. */
export function receiptPart(view: PageView): Html | null {
  const { receipt, charge, record, language, frame } = view;
  if (receipt === undefined || !offersReceipt(view)) return null;
  const texts = language.messages.email;
  if (receipt === "thanks") return html`<p class="answer" id="receipt" role="status">${texts.thanks}</p>`;
  const opening =
    receipt === "asks"
      ? html`<details class="lookup" id="receipt">`
      : html`<details class="lookup" id="receipt" open>`;
  const fault =
    receipt !== "asks" &&
    html`<p class="answer" id="receipt-fault" role="alert">${isolated(view, receipt === "missing" ? texts.missing : texts.wrong({ example: EXAMPLE_ADDRESS }))}</p>`;
  const told = [fault !== false && "receipt-fault", "receipt-hint"].filter((id) => id !== false).join(" ");
  return html`${opening}<summary>${texts.title}</summary><form method="post" action="${charge.checkoutToken}/email${queryOf(language.tag, frame)}"><label class="label" for="receipt-email">${texts.label}</label><div class="ask-row"><input id="receipt-email" name="email" type="email" dir="ltr" required maxlength="${MAX_EMAIL_CHARS}" autocomplete="email" aria-invalid="${String(fault !== false)}" aria-describedby="${told}"><button type="submit">${texts.send}</button></div><p class="hint" id="receipt-hint">${isolated(view, texts.hint({ shop: record.merchant.name }))}</p>${fault}</form></details>`;
}
