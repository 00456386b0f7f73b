import type { Context } from "../context.ts";
import type { AccountedOutflow, Outflow } from "./outflow-store.ts";

/**
 * Says what left our addresses, once it is committed. What the address's own key has signed may be a sweep, or somebody who
 * collects by hand; anything else takes money without that key, and somebody must look.
 */
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
      factsOf(outflow, blockNumber),
      "money left one of our addresses by no transfer that its key has signed",
    );
  }
}

/**
 * Says which outflows of verified blocks went neither by a sweep nor to a wallet of the merchant or the operator, once that is
 * committed. Those that no key has signed were told when they were read.
 */
export function reportUnexplained(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  outflows: readonly AccountedOutflow[],
): void {
  for (const outflow of outflows.filter(({ payee, isMerkleProven }) => payee === "unknown" && isMerkleProven)) {
    metrics.alarms.inc({ alarm: "unexplained_outflow" });
    log.error(
      factsOf(outflow, outflow.blockNumber),
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
