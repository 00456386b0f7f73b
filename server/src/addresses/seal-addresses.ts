import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { hashOfAddress } from "./address-hash.ts";
import { addressMac, type MacContext } from "./address-mac.ts";
import { findOwners } from "./directory-store.ts";
import { listUnsealed, saveAllSealed, saveMacs, type UnsealedAddress } from "./seal-store.ts";

/** So many addresses are derived and written at once: a tenth of a second. */
const AT_ONCE = 500;
const MAX_NAMED = 20;

/** What became of the addresses that had no code. */
export type SealReport = {
  readonly sealed: number;
  readonly refused: number;
  /** the first of those that were refused, with what is wrong */
  readonly named: readonly { readonly chargeId: string; readonly address: string; readonly fault: string }[];
};

/** What seals is handed: the database as the owner of its tables has it. */
export type SealingContext = {
  readonly db: Queryable;
  readonly config: MacContext["config"] & { readonly addresses: { readonly accountXpub: string } };
};

/**
 * Writes the code of every address that has none: where its index derives to it, and the directory, to which rows are only
 * added, says that it is its charge's. Any other stays without, and is not shown from then on. Batch by batch, beside a
 * service that runs; broken off, it goes on where it was. `onProgress` is told how many were sealed so far.
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

/** What is wrong with each of these addresses, in their order; undefined where nothing is. */
async function findFaults(
  { db, config }: SealingContext,
  batch: readonly UnsealedAddress[],
): Promise<(string | undefined)[]> {
  const account = parseAccountXpub(config.addresses.accountXpub);
  const derived = batch.map(({ index }) => deriveReceiveAddress(account, Number(index)));
  const owners = await findOwners(db, derived.map(hashOfAddress));
  const chargeOf = new Map(
    owners.map(({ hash, merchantId, chargeId }) => [hash.toString("hex"), `${merchantId} ${chargeId}`]),
  );
  return batch.map(({ merchantId, chargeId, address, index }, position) => {
    const right = derived[position] ?? "";
    if (right !== address) return `index ${index} derives to ${right}`;
    const owner = chargeOf.get(hashOfAddress(right).toString("hex"));
    return owner === `${merchantId} ${chargeId}`
      ? undefined
      : "address_directory says that it is another charge's";
  });
}
