import type { Queryable } from "@daric/postgres/sql";
import { ApiError } from "../domain/errors.ts";
import { isId } from "../domain/row-id.ts";
import { findSettlementAccount, type SettlementAccount } from "./settlement-account-store.ts";

/**
 * The merchant's settlement account with this id.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND when it has none.
 */
export async function getSettlementAccount(
  db: Queryable,
  input: { id: string; merchantId: string },
): Promise<SettlementAccount> {
  const account = isId(input.id) ? await findSettlementAccount(db, input) : undefined;
  if (account !== undefined) return account;
  const message = `Merchant ${input.merchantId} has no settlement account ${input.id}.`;
  throw new ApiError("SETTLEMENT_ACCOUNT_NOT_FOUND", { message });
}
