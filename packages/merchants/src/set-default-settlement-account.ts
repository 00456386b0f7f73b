import { ApiError } from "@daric/domain/errors";
import type { Context } from "./context.ts";
import { lockMerchantById } from "./get-merchant.ts";
import { getSettlementAccount } from "./get-settlement-account.ts";
import { moveDefault, type SettlementAccount } from "./settlement-account-store.ts";

/**
 * Makes this account the default for new charges. There is never more than one default; the last change wins.
 *
 * @throws NOT_FOUND when there is no such merchant; SETTLEMENT_ACCOUNT_NOT_FOUND when it has no such account;
 * SETTLEMENT_ACCOUNT_DISABLED when the account takes no new charges.
 */
export async function setDefaultSettlementAccount(
  context: Pick<Context, "db">,
  input: { id: string; merchantId: string },
): Promise<SettlementAccount> {
  return context.db.transaction(async (tx) => {
    const merchantId = await lockMerchantById(tx, input.merchantId);
    const account = await getSettlementAccount(tx, { id: input.id, merchantId });
    if (account.status === "disabled") throw new ApiError("SETTLEMENT_ACCOUNT_DISABLED");
    return account.isDefault ? account : moveDefault(tx, account);
  });
}
