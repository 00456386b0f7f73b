import { ApiError } from "@daric/domain/errors";
import type { Transaction } from "@daric/postgres/sql";
import type { Context } from "./context.ts";
import { lockMerchantById } from "./get-merchant.ts";
import { getSettlementAccount } from "./get-settlement-account.ts";
import {
  disableAccount,
  listSettlementAccounts,
  moveDefault,
  type SettlementAccount,
} from "./settlement-account-store.ts";

type DisabledAccount = { readonly id: string; readonly merchantId: string; readonly newDefaultId?: string };

/**
 * Stops new charges from using an account; existing charges keep it. Repeating it has no effect. The default
 * account needs a named successor, unless it is the last active one: money must not change its destination unasked.
 *
 * @throws NOT_FOUND when there is no such merchant; SETTLEMENT_ACCOUNT_NOT_FOUND when it has no such account;
 * SETTLEMENT_ACCOUNT_DISABLED when the successor is disabled; VALIDATION_ERROR when the successor is missing.
 */
export async function disableSettlementAccount(
  context: Pick<Context, "db">,
  input: DisabledAccount,
): Promise<SettlementAccount> {
  return context.db.transaction(async (tx) => {
    const merchantId = await lockMerchantById(tx, input.merchantId);
    const account = await getSettlementAccount(tx, { id: input.id, merchantId });
    if (account.status === "disabled") return account;
    const successor = account.isDefault ? await nextDefault(tx, account, input.newDefaultId) : undefined;
    const disabled = await disableAccount(tx, account);
    if (successor !== undefined) await moveDefault(tx, successor);
    return disabled;
  });
}

/** Returns the successor, or undefined if no other account is active. */
async function nextDefault(
  tx: Transaction,
  { id, merchantId }: SettlementAccount,
  newDefaultId: string | undefined,
): Promise<SettlementAccount | undefined> {
  if (newDefaultId === undefined) {
    const accounts = await listSettlementAccounts(tx, merchantId);
    const others = accounts.filter((account) => account.status === "active" && account.id !== id);
    if (others.length === 0) return undefined;
    throw newDefaultRefused(
      "must name the next default, because this account is the default and others are active",
    );
  }
  const account = await getSettlementAccount(tx, { id: newDefaultId, merchantId });
  if (account.id === id) throw newDefaultRefused("must name another account than the one that is disabled");
  if (account.status === "disabled") throw new ApiError("SETTLEMENT_ACCOUNT_DISABLED");
  return account;
}

function newDefaultRefused(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path: "newDefault", message }] });
}
