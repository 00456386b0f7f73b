import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { addressBytes } from "./address-bytes.ts";
import { addressMac, type MacContext } from "./address-mac.ts";
import { findOwners } from "./directory-store.ts";
import { listUnsealed, saveAllSealed, saveMacs, type UnsealedAddress } from "./seal-store.ts";

/** Addresses per batch, which take a tenth of a second. */
const AT_ONCE = 500;
const MAX_NAMED = 20;

export type SealReport = {
  readonly sealed: number;
  readonly refused: number;
  readonly named: readonly { readonly chargeId: string; readonly address: string; readonly fault: string }[];
};

/** `db` connects as the owner of the tables. */
type SealingContext = {
  readonly db: Queryable;
  readonly config: MacContext["config"] & { readonly addresses: { readonly accountXpub: string } };
};

/**
 * Writes the row MAC of each address without one, if its index derives to it and the directory assigns it to its charge. Other
 * addresses stay without a MAC and are no longer shown. It works in batches beside a running service and can be resumed.
 */
export async function sealAddresses(
  context: SealingContext,
  onProgress: (sealed: number) => void = () => {},
): Promise<SealReport> {
  const named: SealReport["named"][number][] = [];
  let [sealed, refused] = [0, 0];
  let after: UnsealedAddress | undefined;
  for (;;) {
    const batch = await listUnsealed(context.db, { after, limit: AT_ONCE });
    after = batch.at(-1);
    if (after === undefined) break;
    const faults = await findFaults(context, batch);
    const right = batch.filter((_, position) => faults[position] === undefined);
    const macs = right.map((row) => ({
      ...row,
      mac: addressMac(context, { ...row, index: Number(row.index) }),
    }));
    if (macs.length > 0) await saveMacs(context.db, macs);
    sealed += right.length;
    for (const [position, fault] of faults.entries()) {
      const row = batch[position];
      if (fault === undefined || row === undefined) continue;
      refused += 1;
      if (named.length < MAX_NAMED) named.push({ chargeId: row.chargeId, address: row.address, fault });
    }
    onProgress(sealed);
  }
  await saveAllSealed(context.db);
  return { sealed, refused, named };
}

async function findFaults(
  { db, config }: SealingContext,
  batch: readonly UnsealedAddress[],
): Promise<(string | undefined)[]> {
  const account = parseAccountXpub(config.addresses.accountXpub);
  const derived = batch.map(({ index }) => deriveReceiveAddress(account, Number(index)));
  const owners = await findOwners(db, derived.map(addressBytes));
  const chargeOf = new Map(
    owners.map(({ bytes, merchantId, chargeId }) => [bytes.toString("hex"), `${merchantId} ${chargeId}`]),
  );
  return batch.map(({ merchantId, chargeId, address, index }, position) => {
    const right = derived[position] ?? "";
    if (right !== address) return `index ${index} derives to ${right}`;
    const owner = chargeOf.get(addressBytes(right).toString("hex"));
    return owner === `${merchantId} ${chargeId}`
      ? undefined
      : "address_directory says that it is another charge's";
  });
}
