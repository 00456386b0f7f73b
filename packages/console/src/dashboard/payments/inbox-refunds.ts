import type { Charge } from "@daric/charges/charge";
import type { OrderFamily } from "@daric/charges/order-family";
import type { Currency } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type Amount, add, larger, subtract, zero } from "@daric/domain/money";
import { defaultRefund, surplusOf } from "@daric/domain/refund";
import { differenceOf } from "@daric/domain/rest";
import type { Database } from "@daric/postgres/sql";
import { type PromisedOf, sumPromised } from "@daric/refunds/task-store";
import { readSweepTerms } from "@daric/settlement/plan/terms-store";

export const inboxReasons = ["stuck", "unmatched", "underpaid", "late", "overpaid", "oversold"] as const;
export type InboxReason = (typeof inboxReasons)[number];

export type CoinAmount = { readonly amount: Amount; readonly currency: Currency };

/** A payment of the inbox, with its confirmed money of another coin. */
export type InboxPayment = {
  readonly charge: Charge;
  readonly family: OrderFamily;
  readonly unmatched: CoinAmount | undefined;
};

/** The sums that refunds promise already, and the sum of each coin that is worth its transfer; undefined without rates. */
export type Refunding = {
  readonly promised: PromisedOf;
  readonly worthOf: (currency: Currency) => bigint | undefined;
};

export async function readRefunding(
  db: Database,
  merchantId: MerchantId,
  charges: readonly Charge[],
): Promise<Refunding> {
  const promised = await sumPromised(db.forTenant(merchantId), charges);
  const terms = await readSweepTerms(db);
  return {
    promised,
    worthOf: (currency) => terms.find((found) => found.currency === currency)?.handPaysFrom,
  };
}

/** Whether refunds took the reason away: of its money nothing is left, or of a surplus less than a transfer is worth. */
export function isRefunded(
  task: InboxPayment,
  reason: InboxReason,
  { promised, worthOf }: Refunding,
): boolean {
  const { charge, unmatched } = task;
  switch (reason) {
    case "stuck":
      return false;
    case "unmatched":
      return unmatched !== undefined && unmatched.amount <= promised(charge, unmatched.currency);
    case "overpaid": {
      const left = surplusLeft(task, promised);
      return left <= zero || left < (worthOf(charge.currency) ?? zero);
    }
    default:
      return charge.received.total <= promised(charge, charge.currency);
  }
}

/** The surplus of the order, with its rests, that was not promised back. */
function surplusLeft({ charge, family }: InboxPayment, promised: PromisedOf): Amount {
  const { first, rests } = family;
  if (rests.length === 0) return subtract(surplusOf(charge), promised(charge, charge.currency));
  const sum = [first, ...rests].reduce<Amount>((all, one) => add(all, promised(one, one.currency)), zero);
  return subtract(differenceOf(family), sum);
}

/** The refunds that these reasons suggest: of the other coin, and of what is too much or else all that came. */
export function refundsFor(
  { charge, unmatched }: InboxPayment,
  reasons: readonly InboxReason[],
  { promised }: Refunding,
): CoinAmount[] {
  const refunds: CoinAmount[] = [];
  if (unmatched !== undefined && reasons.includes("unmatched"))
    refunds.push({
      ...unmatched,
      amount: subtract(unmatched.amount, promised(charge, unmatched.currency)),
    });
  if (reasons.some((reason) => reason !== "stuck" && reason !== "unmatched")) {
    const money = { received: charge.received.total, promised: promised(charge, charge.currency) };
    refunds.push({
      amount: larger(defaultRefund(surplusOf(charge), money), zero),
      currency: charge.currency,
    });
  }
  return refunds.filter(({ amount }) => amount > zero);
}
