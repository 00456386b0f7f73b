import type { Queryable } from "@daric/postgres/sql";
import { ApiError } from "../domain/errors.ts";
import type { MerchantId, SettlementAccountId } from "../domain/ids.ts";
import { findDefaultSettlementAccount, findSettlementAccountState } from "./terms-store.ts";

/**
 * The id of the named settlement account.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND when it is not the merchant's; SETTLEMENT_ACCOUNT_DISABLED when it takes no new
 * charges.
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
