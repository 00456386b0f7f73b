import { recoverSigner } from "@daric/tron/signature";
import type { TronTransaction } from "@daric/tron/transaction";
import { BroadcastRefusal } from "../chain/broadcast-refusal.ts";
import { type LocalChain, readState } from "../chain/chain.ts";
import { runnableContract, validateSignature } from "../chain/validate-transaction.ts";
import type { ApiRequest } from "./api-request.ts";
import type { EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderActivePermission, renderOwnerPermission } from "./render-permission.ts";
import { renderAddress, renderText } from "./render-text.ts";
import { renderTransaction } from "./render-transaction.ts";

type Fields = { readonly [key: string]: JsonTree };

/**
 * Who has signed a transaction that is not broadcast yet. Wallets also use these to have raw_data encoded again
 * after changing it: TronWeb does so for a memo and for a longer expiration. Source: java-tron TransactionUtil.
 */
export const SIGNATURE_ENDPOINTS: EndpointTable = {
  getsignweight: (chain, request) => {
    const transaction = readTransaction(request.params, request.visible);
    return { ...sumWeights(chain, transaction, request), transaction: extension(transaction, request) };
  },

  getapprovedlist: (_, request) => {
    const transaction = readTransaction(request.params, request.visible);
    const signers = transaction.signatures.map((signature) => recoverSigner(transaction.txId, signature));
    const known = signers.filter((signer) => signer !== undefined);
    const isComplete = known.length === signers.length;
    return {
      result: isComplete ? {} : failure("COMPUTE_ADDRESS_ERROR", "no key made this signature", request),
      ...message({ approved_list: known.map((signer) => renderAddress(signer, request.visible)) }),
      transaction: extension(transaction, request),
    };
  },
};

/** ENOUGH_PERMISSION is the code's default and is left out, as every default. */
function sumWeights(chain: LocalChain, transaction: TronTransaction, request: ApiRequest): Fields {
  try {
    const { ownerAddress } = runnableContract(transaction);
    const refused = (text: string) => ({ result: failure("PERMISSION_ERROR", text, request) });
    if (readState(chain, "head").account(ownerAddress) === undefined)
      return refused("Account does not exist!");
    const permission = permissionOf(transaction, ownerAddress, request);
    if (permission === undefined) return refused("Permission for this, does not exist!");
    if (transaction.signatures.length === 0) return { result: { code: "NOT_ENOUGH_PERMISSION" }, permission };
    validateSignature(transaction, ownerAddress);
    const approved_list = [renderAddress(ownerAddress, request.visible)];
    return { result: {}, permission, approved_list, current_weight: 1n };
  } catch (error) {
    if (!(error instanceof BroadcastRefusal)) throw error;
    const code = error.code === "SIGERROR" ? "PERMISSION_ERROR" : "OTHER_ERROR";
    return { result: failure(code, error.detail, request) };
  }
}

function permissionOf(
  { raw }: TronTransaction,
  ownerAddress: string,
  { visible }: ApiRequest,
): JsonTree | undefined {
  const permissionId = raw.contracts[0]?.permissionId ?? 0;
  if (permissionId === 0) return renderOwnerPermission(ownerAddress, visible);
  return permissionId === 2 ? renderActivePermission(ownerAddress, visible) : undefined;
}

function failure(code: string, text: string, { visible }: ApiRequest): JsonTree {
  return { code, message: renderText(text, visible) };
}

function extension(transaction: TronTransaction, { visible }: ApiRequest): JsonTree {
  return {
    result: { result: true },
    txid: transaction.txId,
    transaction: renderTransaction(transaction, visible),
  };
}
