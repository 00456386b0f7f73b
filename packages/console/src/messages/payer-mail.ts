import { type Language, offeredLanguages } from "@daric/hosted-checkout/messages/languages";
import { contactOf, unlinked } from "./clean.ts";
import { type Draft, type Fact, fact, type Item, type MailPart } from "./draft.ts";
import type { Letter } from "./letter.ts";
import { attachedLogo } from "./logo.ts";
import { shopLook } from "./look.ts";
import { MAX_MAILED_PAYMENTS, type PayerMailFacts } from "./payer-facts.ts";
import { testNotice } from "./test-notice.ts";
import { anyText, ltr, type MailValue, sentence, type Words } from "./words.ts";
import { writeLetter } from "./write-letter.ts";

const MAX_NAME = 120;
/** In a subject, which has 150 characters in all. */
const MAX_SUBJECT_NAME = 32;

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

/** The mail to the payer of an order, in the language of its page. It links nothing but our own pages. */
export function renderPayerMail(facts: PayerMailFacts): Letter {
  const { shop, network, unsubscribeUrl } = facts;
  const [english, language = english] = offeredLanguages([facts.language]);
  const view = viewOf(facts, language);
  const { page, mail } = language.messages;
  const host = ltr(facts.host);
  return writeLetter({
    language,
    subject: subjectOf(view),
    look: shopLook(shop.accentColor),
    header: [view.shop],
    logo: attachedLogo(shop.logo),
    notice: testNotice(network, language.messages),
    ...contentOf(view),
    footer: [sentence(mail.why, { shop: view.shop, host }), [page.keepPhraseSecret]],
    footerLink:
      unsubscribeUrl === null
        ? null
        : { label: sentence(mail.unsubscribe, { shop: view.shop }), url: unsubscribeUrl },
    attachments: [],
  });
}

function viewOf(facts: PayerMailFacts, { messages, figures }: Language): View {
  const { due, received, missing, currency } = facts.order;
  const money = (amount: string) => ltr(figures.money(amount, currency));
  return {
    facts,
    messages,
    figures,
    shop: anyText(shopName(facts, MAX_NAME)),
    received: money(received),
    due: due === null ? null : money(due),
    missing: missing === null ? null : money(missing),
  };
}

function shopName({ shop, host }: PayerMailFacts, max: number): string {
  return unlinked(shop.name, max) || host;
}

function orderRef({ facts }: View, max: number): MailValue | null {
  const ref = unlinked(facts.order.orderRef ?? "", max);
  return ref === "" ? null : anyText(ref);
}

function subjectOf(view: View): Words {
  const { facts, messages, received, missing } = view;
  const { subject } = messages.mail;
  const shop = anyText(shopName(facts, MAX_SUBJECT_NAME));
  const order = orderRef(view, MAX_SUBJECT_NAME);
  const subjects = {
    paid: () => sentence(subject.paid, { shop, amount: received }),
    short: () =>
      missing === null ? sentence(subject.part, { shop }) : sentence(subject.short, { shop, rest: missing }),
    late: () => sentence(subject.late, { shop }),
  };
  return [
    ...(facts.network === "mainnet" ? [] : [`[${messages.page.test}] `]),
    ...subjects[facts.kind](),
    ...(order === null ? [] : [" · ", ...sentence(messages.contact.mail.order, { order })]),
  ];
}

type Content = Pick<Draft, "label" | "title" | "parts">;

function contentOf(view: View): Content {
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
  const { contact, mail, deposits } = messages;
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
    ...(contactOf(facts.shop) === null ? [paragraph(sentence(contact.none, { shop: view.shop }))] : []),
    ...(asksForRest(view) ? [] : [button]),
    ...(note === undefined ? [] : [{ is: "note", words: [note] } as const]),
  ];
}

function asksForRest({ facts: { kind, order } }: View): boolean {
  return kind === "short" && order.payUntil !== null;
}

function factsOf(view: View): Fact[] {
  const { facts, messages, figures, due, missing, received } = view;
  const { order, shop } = facts;
  const { summary, receipt } = messages;
  const { fiatAmount, fiatCurrency, payUntil } = order;
  const hasPrice = fiatAmount !== null && fiatCurrency !== null;
  const contact = contactOf(shop);
  const restFacts =
    payUntil !== null && asksForRest(view)
      ? [
          ...fact(summary.stillToSend, missing),
          ...fact(summary.timeToPay, sentence(summary.until, { time: anyText(figures.dateTime(payUntil)) })),
        ]
      : [];
  return [
    ...fact(summary.order, orderRef(view, MAX_NAME)),
    ...fact(summary.price, hasPrice ? ltr(figures.money(fiatAmount, fiatCurrency)) : null),
    ...fact(summary.amount, due?.value === received.value ? null : due),
    ...fact(summary.amountReceived, received),
    ...restFacts,
    ...fact(receipt.contact, contact === null ? null : anyText(contact)),
  ];
}

function itemOf(
  { facts, messages, figures }: View,
  { amount, blockNumber, confirmedAt, txHash }: PayerMailFacts["order"]["payments"][number],
): Item {
  const block =
    blockNumber === null
      ? []
      : [" · ", ...sentence(messages.mail.block, { number: ltr(String(blockNumber)) })];
  return {
    amount: [ltr(figures.money(amount, facts.order.currency))],
    details: [anyText(figures.dateTime(confirmedAt)), ...block],
    code: txHash,
  };
}
