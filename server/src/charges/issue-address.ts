import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import { ensureAccountKey, type TakenAddress, takeIndexes, takePooledAddress } from "./address-store.ts";
import type { IssuingContext } from "./context.ts";

/** Somebody changed an address in the database: money sent to it would be lost. Nothing is issued. */
export class ForeignAddressError extends Error {
  override readonly name = "ForeignAddressError";
}

/**
 * An address that was never issued before, taken in the transaction that stores the charge: rolled back, it is
 * free again. Comes from the pool, or from the next index where the pool is empty; then creates wait for each other.
 *
 * What the database says is compared with what the account key derives, and with the charges. A pooled address that a
 * charge has already leaves the pool.
 *
 * @throws ForeignAddressError when a pooled address is not of the account key, before anybody is told to pay there.
 */
export async function issueAddress(
  context: Pick<IssuingContext, "config" | "addresses">,
  tx: Transaction,
): Promise<TakenAddress> {
  const xpub = context.config.charges.accountXpub;
  for (;;) {
    const pooled = await takePooledAddress(tx, xpub);
    if (pooled === undefined) return issueNextIndex(context, tx);
    const { isIssued, ...taken } = pooled;
    if (isIssued) continue;
    if (taken.address !== context.addresses.at(taken.index)) {
      throw new ForeignAddressError(`the pooled address of index ${taken.index} is not of the account key`);
    }
    return taken;
  }
}

async function issueNextIndex(
  context: Pick<IssuingContext, "config" | "addresses">,
  tx: Transaction,
): Promise<TakenAddress> {
  const accountKeyId = await ensureAccountKey(tx, {
    id: idOf("accountKey", uuidv7()),
    xpub: context.config.charges.accountXpub,
  });
  const index = await takeIndexes(tx, accountKeyId, 1);
  return { accountKeyId, index, address: context.addresses.at(index) };
}
