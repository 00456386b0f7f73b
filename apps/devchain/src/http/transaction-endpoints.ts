import { decodeTransaction, type TronTransaction } from "@daric/tron/transaction";
import { hexToBytes } from "@noble/hashes/utils.js";
import { type LocalChain, submitTransaction } from "../chain/chain.ts";
import { findTransaction } from "../chain/chain-store.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { type ApiRequest, hexParam, RequestRefusal, textParam } from "./api-request.ts";
import { cursorNumber } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { jsonText } from "./json-text.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderText } from "./render-text.ts";
import { renderInfo, renderMined, renderTransaction } from "./render-transaction.ts";

export const TRANSACTION_ENDPOINTS: EndpointTable = {
  gettransactionbyid: (chain, request) => {
    const found = foundWithin(chain, request);
    const mined = found?.block.transactions[found.index];
    if (mined !== undefined) return renderMined(mined, request.visible);
    // A node also finds transactions in its pool, which have no result yet.
    const waiting =
      request.cursor === "head" && request.asOf === undefined ? chain.pool.get(wantedId(request)) : undefined;
    return waiting === undefined ? {} : renderTransaction(waiting, request.visible);
  },

  gettransactioninfobyid: (chain, request) => {
    const found = foundWithin(chain, request);
    return found === undefined ? {} : renderInfo(found.outcome, found.block, request.visible);
  },
};

export const BROADCAST_ENDPOINTS: EndpointTable = {
  broadcasttransaction: (chain, request) => {
    const transaction = readTransaction(request.params, request.visible);
    const refusal = submit(chain, transaction);
    const txid = transaction.txId;
    if (refusal === undefined) return { result: true, txid };
    return { code: refusal.code, txid, message: renderText(refusal.message, request.visible) };
  },

  broadcasthex: (chain, request) => {
    const transaction = decodeBroadcast(hexParam(request, "transaction"));
    const refusal = submit(chain, transaction);
    return {
      result: refusal === undefined,
      code: refusal?.code ?? "SUCCESS",
      message: refusal?.message ?? "",
      transaction: jsonText(renderTransaction(transaction, true)),
      txid: transaction.txId,
    };
  },
};

function wantedId(request: ApiRequest): string {
  return textParam(request, "value").toLowerCase();
}

function foundWithin(chain: LocalChain, request: ApiRequest): ReturnType<typeof findTransaction> {
  const found = findTransaction(chain.store, wantedId(request));
  const isInReach = found !== undefined && found.block.header.number <= cursorNumber(chain, request);
  return isInReach ? found : undefined;
}

/** Adds a transaction to the pool, or returns the refusal. */
function submit(chain: LocalChain, transaction: TronTransaction): BroadcastRefusal | undefined {
  try {
    submitTransaction(chain, transaction);
    return undefined;
  } catch (error) {
    if (error instanceof BroadcastRefusal) return error;
    throw error;
  }
}

function decodeBroadcast(hex: string): TronTransaction {
  try {
    return decodeTransaction(hexToBytes(hex));
  } catch {
    throw new RequestRefusal(
      "com.google.protobuf.InvalidProtocolBufferException",
      "the bytes are not a protobuf Transaction",
    );
  }
}
