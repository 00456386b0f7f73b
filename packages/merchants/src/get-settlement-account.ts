import { ApiError } from "@daric/domain/errors";
import { type MerchantId, parseId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { findSettlementAccount, type SettlementAccount } from "./settlement-account-store.ts";

/** Returns a merchant's settlement account. @throws SETTLEMENT_ACCOUNT_NOT_FOUND when it has none with this id. */
export async function getSettlementAccount(
  db: Queryable,
  input: { id: string; merchantId: MerchantId },
): Promise<SettlementAccount> {
  const { merchantId } = input;
  const id = parseId("settlementAccount", input.id);
  const account = id && (await findSettlementAccount(db, { id, merchantId }));
  if (account !== undefined) return account;
  const message = `Merchant ${merchantId} has no settlement account ${input.id}.`;
  throw new ApiError("SETTLEMENT_ACCOUNT_NOT_FOUND", { message });
}
