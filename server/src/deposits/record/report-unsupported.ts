import type { Context } from "../context.ts";
import type { UnsupportedArrival } from "./unsupported-store.ts";

export function reportUnsupported(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  blockNumber: number,
  arrivals: readonly UnsupportedArrival[],
): void {
  for (const { txId, source, eventIndex, address, contract, rawValue } of arrivals) {
    metrics.unsupportedTransfers.inc({ source });
    log.warn(
      {
        tx_id: txId,
        source,
        event_index: eventIndex,
        address,
        contract,
        raw_value: String(rawValue),
        block_number: blockNumber,
      },
      "a token that is not accepted has reached one of our addresses; it is kept apart in unsupported_transfers",
    );
  }
}
