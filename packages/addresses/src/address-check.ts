import type { ChargeId } from "@daric/domain/ids";
import { isSameMac } from "@daric/runtime/mac";
import { addressMac, type IssuedAs } from "./address-mac.ts";
import type { SourceContext } from "./context.ts";
import type { Deriver } from "./deriver.ts";
import { areAddressesSealed } from "./seal-store.ts";

/** The address in a charge's row, with its row MAC; null if the row has none. */
export type ClaimedAddress = IssuedAs & { readonly chargeId: ChargeId; readonly mac: Buffer | null };

/** Returns the rows whose address was not issued for them, and raises an alarm for each. */
export type FindWrongAddresses = <Row extends ClaimedAddress>(
  rows: readonly Row[],
) => Promise<ReadonlySet<Row>>;

const REPORT_AGAIN_MS = 600_000;
const MAX_REPORTED = 1_000;
/** How long the answer "not sealed yet" is cached. The answer "all sealed" is cached for good. */
const RETRY_MS = 5_000;

/**
 * A row is right if its MAC is that of its address. A row has no MAC after a lost integrity key. Until `daric integrity seal` has
 * ended, such a row is right if its index derives to its address; afterwards it is wrong.
 */
export function createAddressCheck(context: SourceContext, deriver: Deriver): FindWrongAddresses {
  const report = createReport(context);
  const areSealed = cacheSealed(context);

  async function isDerived({ index, address }: ClaimedAddress): Promise<boolean> {
    const { accountXpub: xpub } = context.config.addresses;
    const [derived] = await deriver.derive({ xpub, first: index, count: 1 });
    return derived?.address === address;
  }

  return async (rows) => {
    const wrong = new Set<(typeof rows)[number]>();
    for (const row of rows) {
      const isRight =
        row.mac === null
          ? !(await areSealed()) && (await isDerived(row))
          : isSameMac(row.mac, addressMac(context, row));
      if (isRight) continue;
      wrong.add(row);
      report(row);
    }
    return wrong;
  };
}

function cacheSealed({ db, clock }: SourceContext): () => Promise<boolean> {
  let answer: { readonly isSealed: boolean; readonly atMs: number } | undefined;
  return async () => {
    const isFresh = answer !== undefined && clock.monotonicMs() - answer.atMs < RETRY_MS;
    if (answer === undefined || !(answer.isSealed || isFresh))
      answer = { isSealed: await areAddressesSealed(db), atMs: clock.monotonicMs() };
    return answer.isSealed;
  };
}

function createReport({ log, metrics, clock }: SourceContext): (row: ClaimedAddress) => void {
  const reportedAt = new Map<ChargeId, number>();
  return ({ chargeId, merchantId, address, index, mac }) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (reportedAt.get(chargeId) ?? -Infinity) < REPORT_AGAIN_MS) return;
    if (reportedAt.size < MAX_REPORTED) reportedAt.set(chargeId, nowMs);
    metrics.alarms.inc({ alarm: "address_refused" });
    log.error(
      {
        event: "address_refused",
        deposit_address_id: chargeId,
        merchant_id: merchantId,
        address,
        index,
        has_code: mac !== null,
      },
      "the row of a charge holds an address that was not issued for it: the address is not shown; compare the row with " +
        "a backup, and find out how it was written",
    );
  };
}
