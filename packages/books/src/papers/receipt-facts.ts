import type { Currency } from "@daric/domain/asset";
import type { BookValue } from "@daric/domain/book-value";
import type { ChargeId } from "@daric/domain/ids";
import type { Amount } from "@daric/domain/money";
import type { FiatPrice } from "@daric/domain/quote";

/** The content of a receipt. */
export type ReceiptFacts = {
  readonly id: ChargeId;
  readonly orderRef: string | null;
  readonly currency: Currency;
  readonly price: FiatPrice | undefined;
  readonly due: Amount | null;
  readonly received: Amount;
  /** by completed refunds, in the charge's own coin */
  readonly refunded: Amount;
  readonly transfers: readonly {
    readonly amount: Amount;
    readonly currency: Currency;
    readonly at: Date;
    readonly txId: string;
    readonly value: BookValue | undefined;
  }[];
};
