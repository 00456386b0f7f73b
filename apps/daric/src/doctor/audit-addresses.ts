import { bytesOfHex } from "@daric/addresses/address-bytes";
import type { DerivedAddress, IndexRange } from "@daric/addresses/derive-range";
import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { parseAddress } from "@daric/tron/address";
import { type DerivableAddress, findUnwatched, listDerivable } from "./charge-check-store.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";

/** Addresses derived in one part: a tenth of a second of a core. */
const ADDRESSES_AT_ONCE = 1_000;
/** Of one range, so that the thread's other callers wait for 25 ms at most. */
const MAX_PER_RANGE = 250;
/** An index so far behind the last one gets a range of its own, which costs as much as three addresses of one. */
const MAX_APART = 3;

export type Derive = (range: IndexRange) => Promise<readonly Pick<DerivedAddress, "index" | "address">[]>;

/**
 * Finds addresses of these merchants' charges that contradict their derivation or are not watched. `next` is
 * the charge to continue after, undefined at the end.
 */
export async function findAddressViolations(
  db: Queryable,
  { merchantIds, after, derive }: { merchantIds: readonly MerchantId[]; after: string; derive: Derive },
): Promise<{ violations: Violation[]; next: string | undefined }> {
  const page = await listDerivable(db, { merchantIds, after, limit: ADDRESSES_AT_ONCE });
  const other = await findUnderived(page, derive);
  const rightOf = new Map(other.map(({ id, right }) => [id, right]));
  // The derived address must be watched, whatever the row has.
  const given = page.map((row) => withHash({ ...row, address: rightOf.get(row.id) ?? row.address }));
  const violations = [...underived(other), ...(await findUnwatched(db, given))];
  return { violations, next: page.length < ADDRESSES_AT_ONCE ? undefined : page.at(-1)?.id };
}

/** A charge whose row has another address than its index derives to. */
type Underived = Pick<DerivableAddress, "id" | "address"> & { readonly right: string };

/** The charges whose index derives to another address. */
async function findUnderived(charges: readonly DerivableAddress[], derive: Derive): Promise<Underived[]> {
  const derived = new Map<string, string>();
  const keyOf = (xpub: string, index: bigint | number) => `${xpub}/${index}`;
  for (const range of rangesOf(charges))
    for (const { index, address } of await derive(range)) derived.set(keyOf(range.xpub, index), address);
  return charges.flatMap(({ id, address, xpub, derivationIndex }) => {
    const right = derived.get(keyOf(xpub, derivationIndex));
    if (right === undefined) throw new Error(`index ${derivationIndex} was not derived`);
    return right === address ? [] : [{ id, address, right }];
  });
}

/** The ranges with the indexes of these charges. */
function rangesOf(charges: readonly DerivableAddress[]): IndexRange[] {
  const ranges: { xpub: string; first: number; count: number }[] = [];
  const places = charges.map(({ xpub, derivationIndex }) => ({ xpub, index: Number(derivationIndex) }));
  for (const { xpub, index } of places.toSorted(
    (a, b) => a.xpub.localeCompare(b.xpub) || a.index - b.index,
  )) {
    const last = ranges.at(-1);
    const count = index - (last?.first ?? 0) + 1;
    const isNear = last?.xpub === xpub && count <= MAX_PER_RANGE && count - last.count < MAX_APART;
    if (isNear) last.count = count;
    else ranges.push({ xpub, first: index, count: 1 });
  }
  return ranges;
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
): Offered & { bytes: Buffer } {
  const parsed = parseAddress(offered.address);
  return { ...offered, bytes: parsed.ok ? bytesOfHex(parsed.hex) : Buffer.alloc(0) };
}
