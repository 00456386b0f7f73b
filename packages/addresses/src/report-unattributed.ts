import { hexToAddress } from "@daric/tron/address";
import type { GuardContext } from "./context.ts";
import type { UnattributedTransfer } from "./unattributed-store.ts";

/** Logs money at addresses without a merchant, after its row is committed. */
export function reportUnattributed(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  transfers: readonly UnattributedTransfer[],
): void {
  for (const { network, bytes, txId, eventIndex, currency, units, blockNumber } of transfers) {
    metrics.alarms.inc({ alarm: "unattributed_transfer" });
    log.error(
      {
        event: "unattributed_transfer",
        network,
        address: hexToAddress(`41${bytes.toString("hex")}`),
        tx_id: txId,
        event_index: eventIndex,
        currency,
        units: String(units),
        block_number: blockNumber,
      },
      "money reached an address of an index gap, which belongs to no merchant; it is recorded in unattributed_transfers",
    );
  }
}
