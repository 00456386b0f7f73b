import { ApiError } from "@daric/domain/errors";
import type { MerchantId, SettlementAccountId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { countListed } from "@daric/totals/list-store";
import { findDefaultSettlementAccount, findSettlementAccountState, isBelowCap } from "./terms-store.ts";
import type { IssuingContext } from "./write-charge.ts";

/**
 * The id of the named settlement account.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND when the merchant has no such account; SETTLEMENT_ACCOUNT_DISABLED when it takes
 * no new charges.
 */
export async function requireSettlementAccount(
  db: Queryable,
  input: { merchantId: MerchantId; id: SettlementAccountId },
): Promise<SettlementAccountId> {
  const account = await findSettlementAccountState(db, input);
  if (account === undefined) throw new ApiError("SETTLEMENT_ACCOUNT_NOT_FOUND");
  if (!account.isActive) throw new ApiError("SETTLEMENT_ACCOUNT_DISABLED");
  return account.id;
}

/**
 * The id of the merchant's default settlement account.
 *
 * @throws NO_SETTLEMENT_ACCOUNT when none is active.
 */
export async function requireDefaultSettlementAccount(
  db: Queryable,
  merchantId: MerchantId,
): Promise<SettlementAccountId> {
  const account = await findDefaultSettlementAccount(db, merchantId);
  if (account === undefined) throw new ApiError("NO_SETTLEMENT_ACCOUNT");
  return account.id;
}

/**
 * Checks an order except its price: its settlement account is active, and the merchant is below the cap. The
 * insert checks both again.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND, SETTLEMENT_ACCOUNT_DISABLED or MAX_ACTIVE_ADDRESSES.
 */
export async function requireAllButPrice(
  db: Queryable,
  {
    merchantId,
    settlementAccountId: id,
  }: { merchantId: MerchantId; settlementAccountId: SettlementAccountId | null },
): Promise<void> {
  if (id !== null) await requireSettlementAccount(db, { merchantId, id });
  if (!(await isBelowCap(db, merchantId))) throw new ApiError("MAX_ACTIVE_ADDRESSES");
}

/**
 * Passes while the merchant has fewer receive addresses than the operator allows. The list totals are read, so the cost
 * does not grow with the count. Concurrent creates do not see each other and may exceed the cap by their number.
 *
 * @throws MAX_ACTIVE_ADDRESSES at the cap.
 */
export async function requireReceiveAddressCap(
  { config, db, metrics }: Pick<IssuingContext, "config" | "db" | "metrics">,
  merchantId: MerchantId,
): Promise<void> {
  const count = await countListed(db, "deposit_addresses", { merchantId, facets: ["receive"] });
  metrics.customerAddresses.set(count);
  if (count < config.charges.maxCustomerAddresses) return;
  throw new ApiError("MAX_ACTIVE_ADDRESSES", {
    message: `There are ${count} standing addresses already, and a new customerRef gets none: ask the operator for a higher cap.`,
  });
}
