import { PERMISSION_SHAPE, type Permission } from "@daric/tron/contract-shapes";
import { contractTypeName } from "@daric/tron/contract-types";
import { decodeFields, hexOf } from "@daric/tron/protobuf";
import type { TronTransaction } from "@daric/tron/transaction";
import { hexToBytes } from "@noble/hashes/utils.js";
import { type LocalChain, readState } from "../chain/chain.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { runnableContract } from "../ledger/execute-transaction.ts";
import {
  allows,
  findPermission,
  PermissionProblem,
  signersOf,
  weighSignatures,
} from "../ledger/permissions.ts";
import type { ApiRequest } from "./api-request.ts";
import type { EndpointTable } from "./endpoint.ts";
import { asTree, type JsonTree, message } from "./json-text.ts";
import { renderMessage } from "./message-json.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderAddress } from "./render-text.ts";
import { renderTransaction } from "./render-transaction.ts";

type Fields = { readonly [key: string]: JsonTree };

/**
 * The signatures of an unsent transaction. Wallets also use these endpoints to encode changed raw_data: TronWeb
 * does so for a memo and a longer expiration. Source: java-tron TransactionUtil.
 */
export const SIGNATURE_ENDPOINTS: EndpointTable = {
  getsignweight: (chain, request) => {
    const transaction = readTransaction(request.params, request.visible);
    return { ...sumWeights(chain, transaction, request), transaction: extension(transaction, request) };
  },

  getapprovedlist: (_, request) => {
    const transaction = readTransaction(request.params, request.visible);
    return { ...listSigners(transaction, request), transaction: extension(transaction, request) };
  },
};

function listSigners(transaction: TronTransaction, { visible }: ApiRequest): Fields {
  try {
    const approved_list = signersOf(transaction).map((signer) => renderAddress(signer, visible));
    return { result: {}, ...message({ approved_list }) };
  } catch (error) {
    if (!(error instanceof PermissionProblem)) throw error;
    return { result: { code: error.code, message: error.message } };
  }
}

/** ENOUGH_PERMISSION is the default and left out. */
function sumWeights(chain: LocalChain, transaction: TronTransaction, { visible }: ApiRequest): Fields {
  let shown: Fields = {};
  try {
    const permission = permissionFor(chain, transaction);
    shown = { permission: renderMessage(PERMISSION_SHAPE, permission, visible) };
    const { signers, weight } = weighSignatures(permission, transaction);
    const approved_list = signers.map((signer) => renderAddress(signer, visible));
    return {
      result: weight >= permission.threshold ? {} : { code: "NOT_ENOUGH_PERMISSION" },
      ...shown,
      ...message({ approved_list, current_weight: weight }),
    };
  } catch (error) {
    if (error instanceof PermissionProblem)
      return { result: { code: error.code, message: error.message }, ...shown };
    if (error instanceof BroadcastRefusal) return { result: { code: "OTHER_ERROR", message: error.detail } };
    throw error;
  }
}

/**
 * The permission that a transaction names. @throws PermissionProblem with the texts of java-tron's TransactionUtil.
 */
function permissionFor(chain: LocalChain, transaction: TronTransaction): Permission {
  const ownerAddress = ownerOf(transaction);
  const { permissionId = 0, type = 0 } = transaction.raw.contracts[0] ?? {};
  const state = readState(chain, "head");
  const refused = (text: string) => new PermissionProblem("PERMISSION_ERROR", text);
  if (state.account(ownerAddress) === undefined) throw refused("Account does not exist!");
  const permission = findPermission(state, ownerAddress, permissionId);
  if (permission === undefined) throw refused("Permission for this, does not exist!");
  if (!allows(permission, type)) throw refused("Permission denied!");
  return permission;
}

/** The types whose first field is a name or an asset. */
const OWNER_IN_SECOND_FIELD: readonly string[] = ["TransferAssetContract"];

/** The owner of any contract, also of one that this chain does not run. @throws BroadcastRefusal for none, and for several contracts. */
function ownerOf(transaction: TronTransaction): string {
  const [contract, ...others] = transaction.raw.contracts;
  if (contract?.value.kind !== "opaque" || others.length > 0)
    return runnableContract(transaction).ownerAddress;
  const field = OWNER_IN_SECOND_FIELD.includes(contractTypeName(contract.type)) ? 2 : 1;
  return hexOf(decodeFields(hexToBytes(contract.value.value)), field);
}

function extension(transaction: TronTransaction, { params, visible }: ApiRequest): JsonTree {
  const rendered = renderTransaction(transaction, visible);
  const isPrinted = transaction.raw.contracts.every(({ value }) => value.kind !== "opaque");
  // A node prints a contract of any type. One that this chain does not run is printed as it came.
  const raw_data = isPrinted ? rendered.raw_data : asTree(params.raw_data);
  return { result: { result: true }, txid: transaction.txId, transaction: { ...rendered, raw_data } };
}
