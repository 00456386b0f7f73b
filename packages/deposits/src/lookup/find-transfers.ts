import { decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import { ApiError } from "@daric/domain/errors";
import type { Database } from "@daric/postgres/sql";
import type { FindTransfers } from "@daric/refunds/confirm-transfer";
import { hexToAddress } from "@daric/tron/address";
import { findBlock } from "../block-store.ts";

type ReadingChain = { readonly client: NodeGroup; readonly network: Network };

const NODES_RETRY_SECONDS = 10;

/**
 * Finds the transfers of a transaction in a block of our chain. A node says which block has it; the bytes of that block are those that we have read. None
 * for a transaction in no such block.
 *
 * @throws SERVICE_UNAVAILABLE from the function while no node answers.
 */
export function createFindTransfers(
  { db }: { readonly db: Database },
  currentChain: () => ReadingChain | undefined,
): FindTransfers {
  return async (txId) => {
    const chain = currentChain();
    if (chain === undefined) throw unavailable();
    const { client, network } = chain;
    try {
      const run = await client.query((node) => node.findRun(txId));
      if (run === undefined) return [];
      const { blockNumber: number } = run.info;
      const block = await findBlock(db, { network: network.name, number });
      const body = block && (await client.query((node) => node.fetchCompleteBlock(number)));
      if (block === undefined || body?.header.id !== block.blockId) return [];
      return decodeTransfers(body, network.tokens)
        .transfers.filter((transfer) => transfer.txId === txId)
        .map(({ source, eventIndex, fromHex, toHex, currency, units, txExpirationMs }) => ({
          ...{ network: network.name, txId, source, eventIndex, currency, units },
          fromAddress: hexToAddress(fromHex),
          toAddress: hexToAddress(toHex),
          blockNumber: number,
          blockId: block.blockId,
          blockTime: block.time,
          txExpiresAt: txExpirationMs === undefined ? null : new Date(txExpirationMs),
        }));
    } catch (error) {
      throw error instanceof NodeError ? unavailable() : error;
    }
  };
}

function unavailable(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", {
    message: "No node of the chain answers, and only a node can show the transaction.",
    retryAfterSeconds: NODES_RETRY_SECONDS,
  });
}
