import type { MerchantId } from "@daric/domain/ids";
import type { Database, Transaction } from "@daric/postgres/sql";
import { maxTenants } from "@daric/postgres/tenants";
import { type Derive, findAddressViolations } from "./audit-addresses.ts";
import { findDepositBookViolations } from "./audit-deposits.ts";
import { findRefundViolations } from "./audit-refunds.ts";
import { listChargedMerchants, sizeLists } from "./charge-check-store.ts";
import { idRangesFor } from "./id-range.ts";
import type { Violation } from "./invariant.ts";
import { findLedgerViolations } from "./ledger-check-store.ts";
import { findMiscounted, findRangeEnd } from "./sum-check-store.ts";
import { openSnapshot } from "./violation-store.ts";

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
const AFTER_ALL = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** Rows of one part: some tens of milliseconds of the server. */
const ROWS_AT_ONCE = 5_000;

type AuditedContext = {
  readonly db: Database;
  readonly network: string;
  readonly derive: Derive;
  readonly integrityKey: Buffer;
};

/** The result of one part; `after` is the last merchant that is complete. */
export type Part = { readonly violations: readonly Violation[]; readonly after: MerchantId | undefined };

/**
 * Audits a network's database once, one part at a time; the caller sets the pace. A part is some merchants,
 * or 1,000 addresses, 5,000 deposits or 5,000 charges of a large one, each in a read-only snapshot. A large
 * merchant's parts begin at a random one, so that interrupted audits reach all of them. Starts after `from`
 * and ends with the last merchant.
 */
export async function* auditSlowly(
  { db, network, derive, integrityKey }: AuditedContext,
  from: MerchantId | undefined,
): AsyncGenerator<Part, void> {
  let after = from;
  const within = async (find: (tx: Transaction) => Promise<Violation[]>): Promise<Part> => {
    const violations = await db.transaction(async (tx) => {
      await openSnapshot(tx);
      return find(tx);
    });
    return { violations, after };
  };
  for (;;) {
    const merchantIds = await nextMerchants(db, after);
    const last = merchantIds.at(-1);
    if (last === undefined) return;
    const scope = { network, merchantIds };
    for (let page: string | undefined = BEFORE_ALL; page !== undefined; ) {
      const behind: string = page;
      yield await within(async (tx) => {
        const found = await findAddressViolations(tx, { merchantIds, after: behind, derive });
        page = found.next;
        return found.violations;
      });
    }
    const size = [...(await sizeLists(db, merchantIds)).values()].reduce(
      (sum, sizeList) => sum + sizeList,
      0n,
    );
    for (const ids of rotatedList(idRangesFor(size, ROWS_AT_ONCE)))
      yield await within((tx) => findDepositBookViolations(tx, { ...scope, ids }));
    for (let behind = BEFORE_ALL; behind !== AFTER_ALL; ) {
      const question = { merchantIds, after: behind, limit: ROWS_AT_ONCE };
      const upTo = (await findRangeEnd(db, question)) ?? AFTER_ALL;
      yield await within(async (tx) => [
        ...(await findMiscounted(tx, scope, { after: behind, upTo })),
        ...(await findLedgerViolations(tx, scope, { after: behind, upTo })),
        ...(await findRefundViolations(tx, { ...scope, after: behind, upTo }, integrityKey)),
      ]);
      behind = upTo;
    }
    after = last;
  }
}

/** The next merchants whose rows fit one part together, or one merchant with more. */
async function nextMerchants(db: Database, after: MerchantId | undefined): Promise<MerchantId[]> {
  const merchants = await listChargedMerchants(db, { after, limit: maxTenants() });
  if (merchants.length === 0) return [];
  const sizes = await sizeLists(db, merchants);
  let sum = 0n;
  const beyond = merchants.findIndex((id, index) => {
    sum += sizes.get(id) ?? 0n;
    return index > 0 && sum > ROWS_AT_ONCE;
  });
  return beyond === -1 ? merchants : merchants.slice(0, beyond);
}

/** The same list, rotated to begin at a random element. */
function rotatedList<T>(parts: readonly T[]): T[] {
  const first = Math.floor(Math.random() * parts.length);
  return [...parts.slice(first), ...parts.slice(0, first)];
}
