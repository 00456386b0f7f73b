import { findCharge } from "@daric/charges/charge";
import { type ListedDeposit, listDeposits } from "@daric/deposits/list-store";
import { type ValuedDeposit, valueDeposits } from "@daric/deposits/value-deposits";
import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import { zero } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { sumRefunded } from "@daric/refunds/store";
import { MAX_PAPER_LINES, refuseTooLarge } from "../files/export.ts";
import type { ReceiptFacts } from "./receipt-facts.ts";

const BATCH = 500;

/**
 * The facts of a payment's receipt.
 *
 * @throws NOT_FOUND for another merchant's charge; NOTHING_RECEIVED before any money is confirmed; EXPORT_TOO_LARGE beyond
 *   {@link MAX_PAPER_LINES} transfers.
 */
export async function readReceipt(db: Queryable, ref: ChargeRef): Promise<ReceiptFacts> {
  const charge = await findCharge(db, ref);
  if (charge === undefined) throw new ApiError("NOT_FOUND");
  const transfers = await listConfirmed(db, ref);
  if (transfers.length === 0) throw new ApiError("NOTHING_RECEIVED");
  const refunded = (await sumRefunded(db, [ref])).get(ref.id) ?? zero;
  const { id, orderRef, currency, fiatAmount, fiatCurrency, confirmed, terms } = charge;
  return {
    id,
    orderRef,
    currency,
    price: fiatAmount === null || fiatCurrency === null ? undefined : { fiatAmount, fiatCurrency },
    due: terms.due,
    received: confirmed.total,
    refunded,
    transfers: transfers.map(({ amount, currency: coin, blockTime, txId, value }) => ({
      amount,
      currency: coin,
      at: blockTime,
      txId,
      value,
    })),
  };
}

/** The confirmed transfers to a charge, the oldest first. */
async function listConfirmed(db: Queryable, ref: ChargeRef) {
  const filter = { merchantId: ref.merchantId, chargeId: ref.id, status: "CONFIRMED" } as const;
  const found: ValuedDeposit[] = [];
  let last: ListedDeposit | undefined;
  do {
    const { rows } = await listDeposits(db, filter, { limit: BATCH, offset: 0, after: last?.id });
    found.push(...(await valueDeposits(db, rows)));
    if (found.length > MAX_PAPER_LINES) refuseTooLarge(`A receipt has at most ${MAX_PAPER_LINES} transfers`);
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return found.toReversed();
}
