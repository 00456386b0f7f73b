import type { SeenTransfer } from "@daric/refunds/record-transfers";
import type { WatchedAddresses } from "@daric/refunds/watch";
import { hexToAddress } from "@daric/tron/address";
import type { BlockTransfers, MatchableBlock } from "./match-transfers.ts";

/** The transfers of a block to watched addresses of refunds. It is decoded only if it may have one. */
export function matchRefunds(
  watched: WatchedAddresses,
  { involved, decode }: MatchableBlock,
): SeenTransfer[] {
  return watched.mayHave(Buffer.from(involved)) ? refundTransfersOf(watched, decode()) : [];
}

/** A transfer from an address to itself moves nothing. */
export function refundTransfersOf(
  watched: WatchedAddresses,
  { network, block, transfers }: BlockTransfers,
): SeenTransfer[] {
  return transfers.flatMap((transfer) => {
    const { txId, source, eventIndex, fromHex, toHex, currency, units, isMerkleProven, txExpirationMs } =
      transfer;
    const watchedBy = fromHex === toHex ? [] : watched.of(toHex);
    if (watchedBy.length === 0) return [];
    return [
      {
        ...{ network, txId, source, eventIndex, currency, units, isMerkleProven, watchedBy },
        fromAddress: hexToAddress(fromHex),
        toAddress: hexToAddress(toHex),
        blockNumber: block.number,
        blockId: block.blockId,
        blockTime: block.time,
        txExpiresAt: txExpirationMs === undefined ? null : new Date(txExpirationMs),
      },
    ];
  });
}
