import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import { changeMerchant } from "@daric/merchants/change-merchant";
import type { LogoContext } from "@daric/merchants/context";
import { createMerchant } from "@daric/merchants/create-merchant";
import { getMerchant } from "@daric/merchants/get-merchant";
import { parseMerchantInput } from "@daric/merchants/schema";
import { type Merchant, storeSuspended } from "@daric/merchants/store";
import { withinTransaction } from "@daric/postgres/within-transaction";
import type { ContextOf } from "@daric/runtime/context";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";

export type MerchantsContext = Pick<
  ContextOf<LogoContext["config"] & { readonly chain: NetworkSettings }>,
  "db" | "config"
>;

/** Creates a merchant; fee terms are set by the command line. @throws VALIDATION_ERROR. */
export async function addMerchant(
  { db, config }: MerchantsContext,
  actor: Actor,
  input: { name: string; activeAddressCap?: string },
): Promise<Merchant> {
  return db.transaction(async (tx) => {
    const merchant = await createMerchant({ db: withinTransaction(tx), config }, input);
    const { id, name, activeAddressCap } = merchant;
    const after = { name, activeAddressCap };
    await auditAct(tx, actor, {
      action: "create merchant",
      subject: `merchant ${id}`,
      after,
      merchantId: id,
    });
    return merchant;
  });
}

/** @throws VALIDATION_ERROR; NOT_FOUND; CHANGED_MEANWHILE. */
export async function changeCap(
  { db, config }: MerchantsContext,
  actor: Actor,
  { id, updatedAt, activeAddressCap }: { id: MerchantId; updatedAt: Date; activeAddressCap: string },
): Promise<Merchant> {
  const terms = parseMerchantInput(config.chain.network, { activeAddressCap });
  return db.transaction(async (tx) => {
    const { before, after } = await changeMerchant(tx, { id, updatedAt, terms });
    await auditAct(tx, actor, {
      action: "change cap",
      subject: `merchant ${id}`,
      before: { activeAddressCap: before.activeAddressCap },
      after: { activeAddressCap: after.activeAddressCap },
      merchantId: id,
    });
    return after;
  });
}

/** Stops new charges of a merchant, or allows them again. Existing charges continue. @throws NOT_FOUND. */
export async function setSuspended(
  { db }: Pick<MerchantsContext, "db">,
  actor: Actor,
  { id, isSuspended, reason }: { id: MerchantId; isSuspended: boolean; reason: string },
): Promise<Merchant> {
  return db.transaction(async (tx) => {
    const before = await getMerchant({ db: withinTransaction(tx) }, id);
    const after = await storeSuspended(tx, id, isSuspended);
    if (after === undefined) throw new ApiError("NOT_FOUND");
    await auditAct(tx, actor, {
      action: isSuspended ? "suspend merchant" : "resume merchant",
      subject: `merchant ${id}`,
      before: { suspendedAt: before.suspendedAt },
      after: { suspendedAt: after.suspendedAt },
      reason,
      merchantId: id,
    });
    return after;
  });
}
