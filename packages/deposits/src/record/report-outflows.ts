import type { Context } from "../context.ts";
import type { AccountedOutflow, Outflow } from "./outflow-store.ts";

/** Logs outflows after the commit. One that the address's key has not signed raises an alarm. */
export function reportOutflows(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  blockNumber: number,
  outflows: readonly Outflow[],
): void {
  for (const outflow of outflows) {
    metrics.outflows.inc({ currency: outflow.currency });
    if (outflow.isMerkleProven) {
      log.info(factsOf(outflow, blockNumber), "money left one of our addresses");
      continue;
    }
    metrics.alarms.inc({ alarm: "unexplained_outflow" });
    log.error(
      { event: "unexplained_outflow", ...factsOf(outflow, blockNumber) },
      "money left one of our addresses without a transfer signed by its key",
    );
  }
}

/**
 * Logs, after the commit, outflows of verified blocks that no sweep made and that no wallet of the merchant or the operator got.
 * Outflows without a signature raised their alarm when they were read.
 */
export function reportUnexplained(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  outflows: readonly AccountedOutflow[],
): void {
  for (const outflow of outflows.filter(
    ({ payee, isMerkleProven }) => payee === "unknown" && isMerkleProven,
  )) {
    metrics.alarms.inc({ alarm: "unexplained_outflow" });
    log.error(
      { event: "unexplained_outflow", ...factsOf(outflow, outflow.blockNumber) },
      "money left one of our addresses by no sweep, for a wallet that is neither the merchant's nor the operator's",
    );
  }
}

function factsOf(
  { txId, source, eventIndex, address, toAddress, currency, units }: Outflow,
  blockNumber: number,
) {
  return {
    tx_id: txId,
    source,
    event_index: eventIndex,
    address,
    to_address: toAddress,
    currency,
    units: String(units),
    block_number: blockNumber,
  };
}
