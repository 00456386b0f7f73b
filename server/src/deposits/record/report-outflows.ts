import type { Context } from "../context.ts";
import type { Outflow } from "./outflow-store.ts";

/** Logs outflows after the commit. One that the address's key has not signed raises an alarm. */
export function reportOutflows(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  blockNumber: number,
  outflows: readonly Outflow[],
): void {
  for (const { txId, source, eventIndex, address, toAddress, currency, units, isMerkleProven } of outflows) {
    const facts = {
      tx_id: txId,
      source,
      event_index: eventIndex,
      address,
      to_address: toAddress,
      currency,
      units: String(units),
      block_number: blockNumber,
    };
    metrics.outflows.inc({ currency });
    if (isMerkleProven) {
      log.info(facts, "money left one of our addresses");
      continue;
    }
    metrics.alarms.inc({ alarm: "unexplained_outflow" });
    log.error(
      { event: "unexplained_outflow", ...facts },
      "money left one of our addresses without a transfer signed by its key",
    );
  }
}
