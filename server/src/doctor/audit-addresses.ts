import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { parseAddress } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import type { MerchantId } from "../domain/ids.ts";
import { type DerivableAddress, findUnwatched, listDerivable } from "./charge-check-store.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";

/** Addresses derived in one part: a tenth of a second of a core, with pauses. */
const ADDRESSES_AT_ONCE = 1_000;
/** About a millisecond without other work of this process. */
const DERIVED_AT_ONCE = 10;

/**
 * Finds addresses of these merchants' charges that contradict their derivation or are not watched. `next` is
 * the charge to continue after, undefined at the end.
 */
export async function findAddressViolations(
  db: Queryable,
  { merchantIds, after }: { merchantIds: readonly MerchantId[]; after: string },
): Promise<{ violations: Violation[]; next: string | undefined }> {
  const page = await listDerivable(db, { merchantIds, after, limit: ADDRESSES_AT_ONCE });
  const other = await findUnderived(page);
  const rightOf = new Map(other.map(({ id, right }) => [id, right]));
  // The derived address must be watched, whatever the row has.
  const given = page.map((row) => withHash({ ...row, address: rightOf.get(row.id) ?? row.address }));
  const violations = [...underived(other), ...(await findUnwatched(db, given))];
  return { violations, next: page.length < ADDRESSES_AT_ONCE ? undefined : page.at(-1)?.id };
}

/** A charge whose row has another address than its index derives to. */
type Underived = Pick<DerivableAddress, "id" | "address"> & { readonly right: string };

/** The charges whose index derives to another address. Pauses let other work run. */
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

/**
 * One violation of all found charges. The samples have the right addresses, so that the operator can restore them.
 */
function underived(found: readonly Underived[]): Violation[] {
  if (found.length === 0) return [];
  const samples = found
    .slice(0, MAX_SAMPLES)
    .map(({ id, address, right }) => `${id} shows ${address}, its index derives to ${right}`);
  return [
    {
      invariant: "I19",
      what: "charge that shows payers another address than its index derives to",
      count: found.length,
      samples,
    },
  ];
}

/** A malformed address has no bytes and no owner. */
function withHash<Offered extends { readonly address: string }>(
  offered: Offered,
): Offered & { hash: Buffer } {
  const parsed = parseAddress(offered.address);
  return { ...offered, hash: parsed.ok ? hashOfHex(parsed.hex) : Buffer.alloc(0) };
}
