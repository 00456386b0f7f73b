import { NodeError } from "@daric/chain/blocks/node-error";
import type { MerchantId } from "@daric/domain/ids";
import type { SettlementContext, Settling } from "../context.ts";
import { broadcast } from "../node-calls.ts";
import { rebroadcastAfterMs } from "../timing.ts";
import { markSent, type SettlementTransaction } from "./transaction-store.ts";

/**
 * Sends the stored bytes to every node, and repeats it from time to time until they land or expire. No other bytes
 * are made meanwhile. The nodes' answers are logged and decide nothing.
 */
export async function sendTransaction(
  { db, clock, log }: Pick<SettlementContext, "db" | "clock" | "log">,
  { client, network }: Pick<Settling, "client" | "network">,
  { merchantId, transaction }: { merchantId: MerchantId; transaction: SettlementTransaction },
): Promise<void> {
  const { id, txId, bytes, sentAt } = transaction;
  if (txId === null || bytes === null) throw new Error(`transaction ${id} has no bytes to send`);
  const againMs = rebroadcastAfterMs(network.name);
  if (sentAt !== null && clock.now().getTime() - sentAt.getTime() < againMs) return;
  const results = await Promise.allSettled(client.nodes.map((node) => broadcast(node, txId, bytes)));
  const isTaken = results.some((result) => result.status === "fulfilled" && result.value.code === undefined);
  await markSent(db, merchantId, id);
  if (isTaken) return;
  const reasons = results.map((result) =>
    result.status === "fulfilled" ? result.value.code : describe(result.reason),
  );
  log.warn(
    { event: "sweep_not_taken", request_id: id, tx_id: txId, reason: [...new Set(reasons)].join("; ") },
    "no node takes a signed transaction; it is sent again until it expires",
  );
}

function describe(error: unknown): string {
  if (error instanceof NodeError) return error.message;
  throw error;
}
