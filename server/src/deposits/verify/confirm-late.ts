import { depositMachine } from "../../domain/deposit.ts";
import { assertLease } from "../../runtime/lease.ts";
import { enqueueEvents } from "../../webhooks/events/enqueue-events.ts";
import type { Cursor, ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findOpenGroups } from "../open-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import type { Verifier } from "./verifier.ts";

/** Confirms late deposits in a transaction of its own, because no charge is locked after totals are written. Undefined if none waits. */
export async function confirmLate(
  context: WatcherContext,
  { network, lease }: Verifier,
  { cursor, verified }: { readonly cursor: Cursor; readonly verified: ReadBlock },
): Promise<Awaited<ReturnType<typeof confirmDeposits>> | undefined> {
  const statuses = depositMachine.edge("finalized").from;
  const waiting = await findOpenGroups(context.db, { network: network.name, statuses, to: verified.number });
  if (waiting.length === 0) return undefined;
  const scope = { network: network.name, epoch: lease.epoch };
  return context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const confirmed = await confirmDeposits(tx, { scope, cursor, solid: verified, late: true });
    await enqueueEvents(context, tx, confirmed.events);
    return confirmed;
  });
}
