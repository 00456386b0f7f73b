import { type Language, offeredLanguages } from "@daric/hosted-checkout/messages/languages";
import { type Fact, fact, type Item, type MailPart } from "./draft.ts";
import type { Letter } from "./letter.ts";
import { MAX_MAILED_PAYMENTS, type PayerMailFacts, type RefundMailFacts } from "./payer-facts.ts";
import {
  contactParts,
  MAX_NAME,
  MAX_SUBJECT_NAME,
  orderName,
  type PayerDraft,
  payerFrame,
  payerSubject,
  paymentItem,
  shopName,
} from "./payer-frame.ts";
import { refundDraft } from "./payer-refund-mail.ts";
import { anyText, ltr, type MailValue, sentence, type Words } from "./words.ts";
import { writeLetter } from "./write-letter.ts";

/** Facts in the words of a language. */
type View = {
  readonly facts: PayerMailFacts;
  readonly messages: Language["messages"];
  readonly figures: Language["figures"];
  readonly shop: MailValue;
  readonly received: MailValue;
  readonly due: MailValue | null;
  readonly missing: MailValue | null;
};

/** The mail to a payer, in the language of its page. It links nothing but our own pages. */
export function renderPayerMail(facts: PayerMailFacts | RefundMailFacts): Letter {
  const [english, language = english] = offeredLanguages([facts.language]);
  return writeLetter({
    ...payerFrame(facts, language),
    ...("order" in facts ? orderDraft(viewOf(facts, language)) : refundDraft(facts, language)),
  });
}

function orderDraft(view: View): PayerDraft {
  return { subject: subjectOf(view), ...contentOf(view) };
}

function viewOf(facts: PayerMailFacts, { messages, figures }: Language): View {
  const { due, received, missing, currency } = facts.order;
  const money = (amount: string) => ltr(figures.money(amount, currency));
  return {
    facts,
    messages,
    figures,
    shop: shopName(facts, MAX_NAME),
    received: money(received),
    due: due === null ? null : money(due),
    missing: missing === null ? null : money(missing),
  };
}

function subjectOf(view: View): Words {
  const { facts, messages, received, missing } = view;
  const { subject } = messages.mail;
  const shop = shopName(facts, MAX_SUBJECT_NAME);
  const subjects = {
    paid: () => sentence(subject.paid, { shop, amount: received }),
    short: () =>
      missing === null ? sentence(subject.part, { shop }) : sentence(subject.short, { shop, rest: missing }),
    late: () => sentence(subject.late, { shop }),
  };
  const { network, order } = facts;
  return payerSubject({ network, orderRef: order.orderRef }, messages, subjects[facts.kind]());
}

function contentOf(view: View): Omit<PayerDraft, "subject"> {
  const { facts, messages, received, shop, missing, due } = view;
  const { mail, status, receipt } = messages;
  if (facts.kind === "paid")
    return {
      label: receipt.title,
      title: [received],
      parts: partsOf(view, [sentence(mail.received, { shop, amount: received })], mail.notInvoice),
    };
  if (facts.kind === "late")
    return {
      label: null,
      title: [status.receivedTooLate.title],
      parts: partsOf(view, [
        sentence(status.receivedTooLate.text, { received, shop }),
        sentence(mail.told, { shop }),
      ]),
    };
  if (missing === null || due === null)
    return {
      label: null,
      title: [status.partReceivedUnlocked.title],
      parts: partsOf(view, [sentence(mail.payRest.unknown, { received })]),
    };
  const values = { received, due, rest: missing };
  const isOver = facts.order.payUntil === null;
  return {
    label: status.partReceivedUnlocked.title,
    title: sentence(status.partReceived.title, { rest: missing }),
    parts: partsOf(view, [
      isOver
        ? sentence(status.partReceivedTooLate.text, { ...values, shop })
        : sentence(mail.payRest.text, values),
    ]),
  };
}

/** The way to the payment page is first where there is something to do. */
function partsOf(view: View, lead: readonly Words[], note?: string): MailPart[] {
  const { facts, messages } = view;
  const { mail, deposits } = messages;
  const paragraph = (words: Words): MailPart => ({ is: "paragraph", words });
  const label = [asksForRest(view) ? mail.payRest.button : mail.openPage];
  const button: MailPart = { is: "button", link: { label, url: facts.pageUrl } };
  const items = facts.order.payments.slice(0, MAX_MAILED_PAYMENTS).map((payment) => itemOf(view, payment));
  const list: MailPart = { is: "list", title: deposits.title({ count: items.length }), items };
  return [
    ...lead.map(paragraph),
    ...(asksForRest(view) ? [button] : []),
    { is: "facts", facts: factsOf(view) },
    ...(items.length === 0 ? [] : [list]),
    ...contactParts(facts, messages).parts,
    ...(asksForRest(view) ? [] : [button]),
    ...(note === undefined ? [] : [{ is: "note", words: [note] } as const]),
  ];
}

function asksForRest({ facts: { kind, order } }: View): boolean {
  return kind === "short" && order.payUntil !== null;
}

function factsOf(view: View): Fact[] {
  const { facts, messages, figures, due, missing, received } = view;
  const { order } = facts;
  const { summary } = messages;
  const { fiatAmount, fiatCurrency, payUntil } = order;
  const hasPrice = fiatAmount !== null && fiatCurrency !== null;
  const restFacts =
    payUntil !== null && asksForRest(view)
      ? [
          ...fact(summary.stillToSend, missing),
          ...fact(summary.timeToPay, sentence(summary.until, { time: anyText(figures.dateTime(payUntil)) })),
        ]
      : [];
  return [
    ...fact(summary.order, orderName(order.orderRef, MAX_NAME)),
    ...fact(summary.price, hasPrice ? ltr(figures.money(fiatAmount, fiatCurrency)) : null),
    ...fact(summary.amount, due?.value === received.value ? null : due),
    ...fact(summary.amountReceived, received),
    ...restFacts,
    ...contactParts(facts, messages).facts,
  ];
}

function itemOf(
  { facts, messages, figures }: View,
  payment: PayerMailFacts["order"]["payments"][number],
): Item {
  return paymentItem(payment, { currency: facts.order.currency, messages, figures });
}
