import type { Language } from "@daric/hosted-checkout/messages/languages";
import { fact, type MailPart } from "./draft.ts";
import type { RefundMailFacts } from "./payer-facts.ts";
import {
  contactParts,
  MAX_NAME,
  MAX_SUBJECT_NAME,
  orderName,
  type PayerDraft,
  payerSubject,
  paymentItem,
  shopName,
} from "./payer-frame.ts";
import { anyText, ltr, sentence, type Words } from "./words.ts";

type Claim = Extract<RefundMailFacts, { readonly kind: "claim" }>;
type Refunded = Extract<RefundMailFacts, { readonly kind: "refunded" }>;

/** The mail with a refund's claim link, and the one that says that the money went back. */
export function refundDraft(facts: RefundMailFacts, language: Language): PayerDraft {
  return facts.kind === "claim" ? claimDraft(facts, language) : refundedDraft(facts, language);
}

function claimDraft(facts: Claim, { messages, figures }: Language): PayerDraft {
  const { subject, claim } = messages.mail;
  const amount = ltr(figures.money(facts.amount, facts.currency));
  const shop = shopName(facts, MAX_NAME);
  const until = sentence(messages.summary.until, { time: anyText(figures.dateTime(facts.until)) });
  const contact = contactParts(facts, messages);
  return {
    subject: payerSubject(
      facts,
      messages,
      sentence(subject.claim, { shop: shopName(facts, MAX_SUBJECT_NAME), amount }),
    ),
    label: null,
    title: sentence(claim.title, { shop, amount }),
    parts: [
      paragraph(sentence(claim.text, { shop, amount })),
      ...(facts.isNewer ? [paragraph([claim.newer])] : []),
      { is: "button", link: { label: [claim.button], url: facts.pageUrl } },
      { is: "note", words: [claim.once] },
      {
        is: "facts",
        facts: [
          ...fact(messages.summary.order, orderName(facts.orderRef, MAX_NAME)),
          ...fact(claim.until, until),
          ...contact.facts,
        ],
      },
      ...contact.parts,
    ],
  };
}

function refundedDraft(facts: Refunded, language: Language): PayerDraft {
  const { messages, figures } = language;
  const { subject, refunded, openPage } = messages.mail;
  const amount = ltr(figures.money(facts.amount, facts.currency));
  const shop = shopName(facts, MAX_NAME);
  const contact = contactParts(facts, messages);
  const { currency } = facts;
  return {
    subject: payerSubject(
      facts,
      messages,
      sentence(subject.refunded, { shop: shopName(facts, MAX_SUBJECT_NAME), amount }),
    ),
    label: null,
    title: sentence(refunded.title, { amount }),
    parts: [
      paragraph(sentence(refunded.text, { shop, amount })),
      {
        is: "facts",
        facts: [
          ...fact(messages.summary.order, orderName(facts.orderRef, MAX_NAME)),
          ...fact(refunded.address, ltr(`…${facts.addressEnd}`)),
          ...contact.facts,
        ],
      },
      {
        is: "list",
        title: messages.deposits.transactionId,
        items: [paymentItem(facts.payment, { currency, messages, figures })],
      },
      ...contact.parts,
      { is: "button", link: { label: [openPage], url: facts.pageUrl } },
    ],
  };
}

function paragraph(words: Words): MailPart {
  return { is: "paragraph", words };
}
