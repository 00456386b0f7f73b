import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import { isSettled } from "@daric/domain/order";
import { type FiatPrice, offerInFiat, QUOTE_LOCK_MS } from "@daric/domain/quote";
import type { Queryable } from "@daric/postgres/sql";
import { type Charge, getCharge } from "../charge.ts";
import type { QuotingContext } from "../context.ts";
import { lockCharge } from "../status-store.ts";
import { insertOffer, lockOf, readLock } from "./quote-store.ts";

const RETRY_AFTER_SECONDS = 1;

/**
 * Offers the payer of an unpaid order a new quote if the newest has lapsed. Only one of several concurrent
 * requotes makes it. The rate is fetched before any row is locked, and all checks repeat under the row's lock
 * (`quote-store.ts` explains the order with a deposit).
 *
 * @throws in this order, NOT_FIAT_PRICED without a fiat price; ORDER_ALREADY_PAID once it is paid or
 * accepted; PAYMENT_IN_PROGRESS while a deposit above dust is not final. ORDER_CLOSED if it is not ACTIVE or
 * its time is over, by the later of the database's clock and the scanned chain's. RATE_UNAVAILABLE without a
 * fresh rate at the lock; VALIDATION_ERROR if the sum has too many digits at that rate.
 */
export async function requoteCharge(context: QuotingContext, ref: ChargeRef): Promise<void> {
  const { db, findRate, quoteLockMs = QUOTE_LOCK_MS } = context;
  const seen = await findLapsed(db, ref);
  if (seen === undefined) return;
  const rate = await findRate(seen.currency, seen.fiatCurrency);
  await db.transaction(async (tx) => {
    await lockCharge(tx, ref);
    const charge = await findLapsed(tx, ref);
    if (charge === undefined) return;
    const price = offerInFiat(charge, rate.priceE8, charge);
    if (!(await insertOffer(tx, ref, { price, lock: lockOf(price, rate, quoteLockMs) })))
      throw new ApiError("RATE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  });
}

/**
 * The charge if its quote has lapsed, by the database's clock; undefined if it still holds.
 *
 * @throws the errors of {@link requoteCharge}, except those of the rate.
 */
async function findLapsed(db: Queryable, ref: ChargeRef): Promise<(Charge & FiatPrice) | undefined> {
  const charge = await getCharge(db, ref);
  const { fiatCurrency, fiatAmount, expiresAt } = charge;
  if (fiatCurrency === null || fiatAmount === null) throw new ApiError("NOT_FIAT_PRICED");
  if (isSettled(charge)) throw new ApiError("ORDER_ALREADY_PAID");
  if (charge.hasOpenDeposit) throw new ApiError("PAYMENT_IN_PROGRESS");
  const { hasLapsed, laterTime } = await readLock(db, ref);
  const isOver = expiresAt !== null && laterTime > expiresAt;
  if (charge.status !== "ACTIVE" || isOver) throw new ApiError("ORDER_CLOSED");
  return hasLapsed ? { ...charge, fiatCurrency, fiatAmount } : undefined;
}
