import { decodeTransaction, type TransferContract, type TronTransaction } from "@daric/tron/transaction";
import { hexToBytes } from "@noble/hashes/utils.js";
import { BroadcastRefusal } from "../chain/broadcast-refusal.ts";
import { buildTransaction } from "../chain/build-transaction.ts";
import { type LocalChain, readState, submitTransaction } from "../chain/chain.ts";
import { findTransaction } from "../chain/chain-store.ts";
import { validateTransfer } from "../chain/execute-transfer.ts";
import {
  type ApiRequest,
  addressParam,
  hexParam,
  intParam,
  memoParam,
  RequestRefusal,
  textParam,
} from "./api-request.ts";
import { cursorNumber } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { jsonText } from "./json-text.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderText } from "./render-text.ts";
import { renderInfo, renderMined, renderTransaction } from "./render-transaction.ts";

/** Finding transactions, on either cursor. */
export const TRANSACTION_ENDPOINTS: EndpointTable = {
  gettransactionbyid: (chain, request) => {
    const found = foundWithin(chain, request);
    const mined = found?.block.transactions[found.index];
    if (mined !== undefined) return renderMined(mined, request.visible);
    // A node also finds what only waits in its pool; it has no result yet.
    const waiting = request.cursor === "head" ? chain.pool.get(wantedId(request)) : undefined;
    return waiting === undefined ? {} : renderTransaction(waiting, request.visible);
  },

  gettransactioninfobyid: (chain, request) => {
    const found = foundWithin(chain, request);
    return found === undefined ? {} : renderInfo(found.outcome, found.block, request.visible);
  },
};

/** Building and broadcasting, which only a full node offers. */
export const BROADCAST_ENDPOINTS: EndpointTable = {
  createtransaction: (chain, request) => {
    const value = {
      kind: "transfer",
      ownerAddress: addressParam(request, "owner_address"),
      toAddress: addressParam(request, "to_address"),
      amount: intParam(request, "amount"),
    } as const;
    const permissionId = Number(intParam(request, "Permission_id"));
    refuseInvalid(chain, value);
    const transaction = buildTransaction(chain, value, { permissionId, memo: memoParam(request) });
    return { visible: request.visible, ...renderTransaction(transaction, request.visible) };
  },

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

/** Puts a transaction into the pool; the refusal if the chain does not take it. */
function submit(chain: LocalChain, transaction: TronTransaction): BroadcastRefusal | undefined {
  try {
    submitTransaction(chain, transaction);
    return undefined;
  } catch (error) {
    if (error instanceof BroadcastRefusal) return error;
    throw error;
  }
}

/** Refuses a transfer that could not run now, in the shape createtransaction answers. */
function refuseInvalid(chain: LocalChain, transfer: TransferContract): void {
  try {
    validateTransfer(readState(chain, "head"), transfer);
  } catch (error) {
    if (!(error instanceof BroadcastRefusal)) throw error;
    throw new RequestRefusal("org.tron.core.exception.ContractValidateException", error.detail);
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
