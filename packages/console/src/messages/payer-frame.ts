import type { Currency } from "@daric/domain/asset";
import type { Language } from "@daric/hosted-checkout/messages/languages";
import { contactOf, unlinked } from "./clean.ts";
import { type Draft, type Fact, fact, type Item, type MailPart } from "./draft.ts";
import { attachedLogo } from "./logo.ts";
import { shopLook } from "./look.ts";
import type { PayerMailOrigin, PaymentFacts } from "./payer-facts.ts";
import { testNotice } from "./test-notice.ts";
import { anyText, ltr, type MailValue, sentence, type Words } from "./words.ts";

export const MAX_NAME = 120;
/** In a subject, which has 150 characters in all. */
export const MAX_SUBJECT_NAME = 32;

type Frame = Pick<
  Draft,
  "language" | "look" | "header" | "logo" | "notice" | "footer" | "footerLink" | "attachments"
>;

/** The parts that each kind of mail makes itself. */
export type PayerDraft = Pick<Draft, "subject" | "label" | "title" | "parts">;

/** The parts around each mail to a payer: the shop, why it came, and how to end such mails. */
export function payerFrame(facts: PayerMailOrigin, language: Language): Frame {
  const { page, mail } = language.messages;
  const { shop, network, unsubscribeUrl } = facts;
  const name = shopName(facts, MAX_NAME);
  return {
    language,
    look: shopLook(shop.accentColor),
    header: [name],
    logo: attachedLogo(shop.logo),
    notice: testNotice(network, language.messages),
    footer: [sentence(mail.why, { shop: name, host: ltr(facts.host) }), [page.keepPhraseSecret]],
    footerLink:
      unsubscribeUrl === null
        ? null
        : { label: sentence(mail.unsubscribe, { shop: name }), url: unsubscribeUrl },
    attachments: [],
  };
}

export function shopName({ shop, host }: PayerMailOrigin, max: number): MailValue {
  return anyText(unlinked(shop.name, max) || host);
}

/** The reference of an order; null without one. */
export function orderName(orderRef: string | null, max: number): MailValue | null {
  const ref = unlinked(orderRef ?? "", max);
  return ref === "" ? null : anyText(ref);
}

/** A subject: that it is a test, what happened, and which order it is about. */
export function payerSubject(
  { network, orderRef }: Pick<PayerMailOrigin, "network"> & { readonly orderRef: string | null },
  messages: Language["messages"],
  what: Words,
): Words {
  const order = orderName(orderRef, MAX_SUBJECT_NAME);
  return [
    ...(network === "mainnet" ? [] : [`[${messages.page.test}] `]),
    ...what,
    ...(order === null ? [] : [" · ", ...sentence(messages.contact.mail.order, { order })]),
  ];
}

/** How the payer reaches the shop: a row of facts, or a sentence where it gives no contact. */
export function contactParts(
  facts: PayerMailOrigin,
  { contact: texts, receipt }: Language["messages"],
): { readonly facts: Fact[]; readonly parts: MailPart[] } {
  const contact = contactOf(facts.shop);
  if (contact !== null) return { facts: fact(receipt.contact, anyText(contact)), parts: [] };
  const words = sentence(texts.none, { shop: shopName(facts, MAX_NAME) });
  return { facts: [], parts: [{ is: "paragraph", words }] };
}

/** A transfer of a mail, with its time and block. */
export function paymentItem(
  { amount, blockNumber, confirmedAt, txHash }: PaymentFacts,
  { currency, messages, figures }: Pick<Language, "messages" | "figures"> & { readonly currency: Currency },
): Item {
  const block =
    blockNumber === null
      ? []
      : [" · ", ...sentence(messages.mail.block, { number: ltr(String(blockNumber)) })];
  return {
    amount: [ltr(figures.money(amount, currency))],
    details: [anyText(figures.dateTime(confirmedAt)), ...block],
    code: txHash,
  };
}
