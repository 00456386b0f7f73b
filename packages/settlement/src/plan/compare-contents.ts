import { queryQuorum } from "@daric/chain/nodes/query-quorum";
import { idOf } from "@daric/domain/ids";
import { suspenseLines } from "@daric/domain/ledger";
import { type Amount, amountFromUnits, formatAmount } from "@daric/domain/money";
import { bookSettlement } from "@daric/ledger/book-settlement";
import { derivedId } from "@daric/runtime/derived-id";
import type { SettlementContext, Settling } from "../context.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import { findVerifiedBlock } from "../verified-tip-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { sumExplained } from "./contents-store.ts";
import type { DecidedSweep } from "./decide-batch.ts";

/**
 * Compares the solid balances of a plan's addresses with the ledger, both at the height of the reach. A surplus is
 * booked in suspense and not swept; a shortfall raises an alarm. The comparison is skipped while the watcher has not
 * read the solid block of each of these nodes.
 */
export async function compareContents(
  context: SettlementContext,
  settling: Settling,
  decided: readonly DecidedSweep[],
): Promise<void> {
  const { network, reach } = settling;
  if (decided.length === 0) return;
  const { height, nodes } = await reach();
  const solids = await queryQuorum({ nodes }, 1, (node) => node.getSolidBlock());
  const solid = solids.reduce((a, b) => (a.number > b.number ? a : b));
  const position = await findVerifiedBlock(context.db, network.name);
  if (position === undefined || position.scanned < solid.number) return;
  for (const { sweep, facts } of decided) {
    const { merchantId, chargeId, address, currency, units } = sweep;
    const explained = await sumExplained(context.db, {
      merchantId,
      chargeId,
      currency,
      network: network.name,
      height,
    });
    const excess = amountFromUnits(facts.balance - explained);
    if (excess > 0n) await suspend(context, settling, { sweep, excess, blockId: solid.id });
    if (facts.balance < units)
      sweepReport.short(context, {
        merchant_id: merchantId,
        address,
        currency,
        expected: formatAmount(units),
        held: formatAmount(facts.balance),
      });
  }
}

async function suspend(
  context: SettlementContext,
  settling: Settling,
  { sweep, excess, blockId }: { sweep: DecidedSweep["sweep"]; excess: Amount; blockId: string },
): Promise<void> {
  const { merchantId, chargeId, address, currency } = sweep;
  const id = idOf(
    "ledgerTransaction",
    derivedId("excess", settling.network.name, address, currency, blockId),
  );
  await writeUnderLease(context, settling, (tx) =>
    bookSettlement(tx, [{ id, merchantId, chargeId, lines: suspenseLines({ currency, units: excess }) }]),
  );
  sweepReport.excess(context, { merchant_id: merchantId, address, currency, amount: formatAmount(excess) });
}
