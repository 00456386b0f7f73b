import { type Language, offeredLanguages } from "@daric/hosted-checkout/messages/languages";
import { unlinked } from "./clean.ts";
import type { Fact } from "./draft.ts";
import type { Attachment } from "./letter.ts";
import type { MessageTone } from "./look.ts";
import type { CoinSum } from "./member-facts.ts";
import { anyText, ltr, type MailValue, say, type Words } from "./words.ts";

/** The content of a message to a member, in English. */
export type MemberContent = {
  readonly tone: MessageTone;
  /** what happened: the title, and the beginning of the subject */
  readonly title: Words;
  /** the rest of the subject */
  readonly about: Words;
  /** what the reader should do, if anything */
  readonly lead: Words;
  readonly facts: readonly Fact[];
  /** the page of the dashboard that it leads to, such as `/inbox`; null for the settings of messages */
  readonly page: { readonly label: string; readonly path: string } | null;
  readonly attachments?: readonly Attachment[];
};

export const [english]: readonly [Language, ...Language[]] = offeredLanguages([]);

const MAX_NAME = 120;
/** In a subject, which has 150 characters in all. */
const MAX_SUBJECT_NAME = 60;

/** A name or a reference of the merchant; null without one. */
export function merchantText(text: string | null): MailValue | null {
  const name = unlinked(text ?? "", MAX_NAME);
  return name === "" ? null : anyText(name);
}

/** The end of a subject: `, order A-17`; nothing without a reference. */
export function aboutOrder(orderRef: string | null): Words {
  const ref = unlinked(orderRef ?? "", MAX_SUBJECT_NAME);
  return ref === "" ? [] : say`, order ${anyText(ref)}`;
}

/** `order A-17` in a sentence. */
export function orderIn(orderRef: string | null): Words {
  const ref = merchantText(orderRef);
  return ref === null ? ["an order without a reference"] : say`order ${ref}`;
}

export function moneyOf(amount: string, currency: string): MailValue {
  return ltr(english.figures.money(amount, currency));
}

/** `1 250.50 USDT + 320 TRX` */
export function coinSums(sums: readonly CoinSum[]): Words {
  return sums.flatMap(({ amount, currency }, n) => [...(n === 0 ? [] : [" + "]), moneyOf(amount, currency)]);
}

/** `1 order`, `12 orders` */
export function countText(count: number, noun: string): Words {
  return [`${english.figures.count(count)} ${noun}${count === 1 ? "" : "s"}`];
}
