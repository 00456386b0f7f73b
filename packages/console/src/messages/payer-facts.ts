import type { Currency } from "@daric/domain/asset";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { MessageNetwork } from "./letter.ts";

/** The facts of a mail to a payer. No text that a payer typed is among it. Amounts are decimal texts. */
export type PayerMailFacts = PayerMailOrigin & {
  /** `paid`: a receipt. `short`: a part is missing. `late`: the money came after the order had closed. */
  readonly kind: "paid" | "short" | "late";
  readonly order: {
    readonly orderRef: string | null;
    readonly currency: Currency;
    /** null if the payer chose the amount */
    readonly due: string | null;
    readonly received: string;
    /** null if no sum can be named, as while the rate is not locked */
    readonly missing: string | null;
    readonly fiatAmount: string | null;
    readonly fiatCurrency: FiatCurrency | null;
    /** until when the rest counts; null once that is over, and the mail does not ask for the rest */
    readonly payUntil: Date | null;
    /** the oldest first; the first MAX_MAILED_PAYMENTS are listed */
    readonly payments: readonly PaymentFacts[];
  };
};

/** The facts of a mail about a refund. `pageUrl` of a claim is its link. */
export type RefundMailFacts = PayerMailOrigin & {
  readonly orderRef: string | null;
  readonly currency: Currency;
  readonly amount: string;
} & (
    | {
        readonly kind: "claim";
        readonly until: Date;
        /** the link replaces an earlier one */
        readonly isNewer: boolean;
      }
    | {
        readonly kind: "refunded";
        /** the last characters of the address that got it */
        readonly addressEnd: string;
        readonly payment: PaymentFacts;
      }
  );

/** The shop that a mail comes from, and the pages that it links. */
export type PayerMailOrigin = {
  readonly shop: {
    readonly name: string;
    /** `#rrggbb`; anything else is the default colour */
    readonly accentColor: string | null;
    /** the file of an image; one that is too large or of another kind is left out */
    readonly logo: Buffer | null;
    readonly supportEmail: string | null;
    readonly supportUrl: string | null;
  };
  /** the host of the deployment, which sends for the shop */
  readonly host: string;
  /** the tag of one of the page's languages; any other is English */
  readonly language: string;
  readonly network: MessageNetwork;
  readonly pageUrl: string;
  readonly unsubscribeUrl: string | null;
};

export type PaymentFacts = {
  readonly txHash: string;
  readonly amount: string;
  readonly blockNumber: number | null;
  readonly confirmedAt: Date;
};

export const MAX_MAILED_PAYMENTS = 20;
