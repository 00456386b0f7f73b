import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { parseAddress } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import type { MerchantId } from "../domain/ids.ts";
import { type DerivableAddress, findUnwatched, listDerivable } from "./charge-check-store.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";

/** So many are derived in one part: a tenth of a second of a core, with a rest after every few. */
const ADDRESSES_AT_ONCE = 1_000;
/** A millisecond or so, in which this process does nothing else. */
const DERIVED_AT_ONCE = 10;

/**
 * How the next addresses of these merchants' charges contradict what they were derived from, or are not watched; `next` is the
 * charge behind which the look goes on, undefined where it is through.
 */
export async function findAddressViolations(
  db: Queryable,
  { merchantIds, after }: { merchantIds: readonly MerchantId[]; after: string },
): Promise<{ violations: Violation[]; next: string | undefined }> {
  const page = await listDerivable(db, { merchantIds, after, limit: ADDRESSES_AT_ONCE });
  const other = await findUnderived(page);
  const rightOf = new Map(other.map(({ id, right }) => [id, right]));
  // It is the right one that is to be watched, whatever the row tells.
  const given = page.map((row) => withHash({ ...row, address: rightOf.get(row.id) ?? row.address }));
  const violations = [...underived(other), ...(await findUnwatched(db, given))];
  return { violations, next: page.length < ADDRESSES_AT_ONCE ? undefined : page.at(-1)?.id };
}

/** A charge whose row tells another address than its index derives to. */
type Underived = Pick<DerivableAddress, "id" | "address"> & { readonly right: string };

/** Those of these charges whose index derives to another address. Others get a turn in between. */
async function findUnderived(charges: readonly DerivableAddress[]): Promise<Underived[]> {
  const accounts = new Map<string, ReturnType<typeof parseAccountXpub>>();
  const found: Underived[] = [];
  for (const [index, { id, address, xpub, derivationIndex }] of charges.entries()) {
    if (index % DERIVED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    const account = accounts.get(xpub) ?? parseAccountXpub(xpub);
    accounts.set(xpub, account);
    const right = deriveReceiveAddress(account, Number(derivationIndex));
    if (right !== address) found.push({ id, address, right });
  }
  return found;
}

/** Said with the address that is right, so that it is put back and the other one never is. */
function underived(found: readonly Underived[]): Violation[] {
  if (found.length === 0) return [];
  const samples = found
    .slice(0, MAX_SAMPLES)
    .map(({ id, address, right }) => `${id} tells ${address}, its index derives to ${right}`);
  return [
    {
      invariant: "I19",
      what: "charge that tells payers another address than its index derives to",
      count: found.length,
      samples,
    },
  ];
}

/** What is no address has no bytes, and is nobody's. */
function withHash<Offered extends { readonly address: string }>(
  offered: Offered,
): Offered & { hash: Buffer } {
  const parsed = parseAddress(offered.address);
  return { ...offered, hash: parsed.ok ? hashOfHex(parsed.hex) : Buffer.alloc(0) };
}
