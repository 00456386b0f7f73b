import { addressAt, uintAt } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { delegationContract, tokenTransferContract, trxTransferContract } from "@daric/tron/contracts";
import type { KeyPath } from "@daric/tron/keys/account-keys";
import { decodeRawData, encodeRawData, type TransactionContract } from "@daric/tron/transaction";
import type { SignerConfig } from "./config.ts";
import type { SigningRequest } from "./policy.ts";

/** The key that owns the gas wallet. */
export const gasKey: KeyPath = [1, 0];
/** The key in the active permission of the stake account. */
export const stakeKey: KeyPath = [1, 1];
/** The stake account's permission to delegate and undelegate, and nothing else. */
const STAKE_PERMISSION = 2;
/**
 * `transfer(address,uint256)`, and the numbers of contract types: literal, so that the check does not depend
 * on the builder.
 */
const TRANSFER_SELECTOR = "a9059cbb";
const TYPES = { transfer: 1, trigger: 31, delegate: 57, undelegate: 58 };

/**
 * The content of a transaction. Both addresses (base58check) are the signer's own or in its list; amount,
 * times and block come from the request.
 */
export type Movement = {
  readonly config: SignerConfig;
  readonly request: SigningRequest;
  readonly from: string;
  readonly to: string;
};

/** raw_data of a movement: the same bytes for the same movement. */
export function buildRawData(movement: Movement): Uint8Array {
  const { blockId, blockTimeMs, expiresAtMs, feeLimit } = movement.request;
  return encodeRawData({
    refBlockBytes: blockId.slice(12, 16),
    refBlockHash: blockId.slice(16, 32),
    expiration: BigInt(expiresAtMs),
    data: "",
    contracts: [contractOf(movement)],
    timestamp: BigInt(blockTimeMs),
    feeLimit,
  });
}

function contractOf({ config, request: { kind, currency, units }, from, to }: Movement): TransactionContract {
  const transfer = { ownerAddress: addressToHex(from), toAddress: addressToHex(to), units };
  if (kind === "delegate" || kind === "undelegate")
    return delegationContract(kind, STAKE_PERMISSION, transfer);
  if (kind === "top_up" || currency === "TRX") return trxTransferContract(transfer);
  return tokenTransferContract(contractHexOf(config, currency), transfer);
}

/** @throws Error for a token that the configuration does not name. */
function contractHexOf({ tokens }: SignerConfig, currency: string | null): string {
  return addressToHex(tokens[currency ?? ""]?.contract ?? "");
}

/**
 * Decodes the final bytes and compares each field with the movement. Returns the name of the first different
 * field; undefined if they contain the movement and nothing else.
 */
export function findDifference(rawData: Uint8Array, { config, request, from, to }: Movement) {
  const raw = decodeRawData(rawData);
  const [contract, ...others] = raw.contracts;
  if (contract === undefined || others.length > 0) return "number of contracts";
  const { kind, currency, units, feeLimit, blockId, expiresAtMs } = request;
  const { type, permissionId, value } = contract;
  const isTransfer = kind === "top_up" || (kind === "sweep" && currency === "TRX");
  const lentOrCalled = kind === "delegate" || kind === "undelegate" ? kind : "trigger";
  const wanted = isTransfer ? "transfer" : lentOrCalled;
  const toHex = addressToHex(to);
  const said: Record<string, boolean> = {
    encoding: Buffer.compare(encodeRawData(raw), rawData) === 0,
    block: raw.refBlockBytes + raw.refBlockHash === blockId.slice(12, 32),
    expiration: raw.expiration === BigInt(expiresAtMs),
    memo: raw.data === "",
    fee_limit: raw.feeLimit === feeLimit,
    permission: permissionId === (kind === "sweep" || kind === "top_up" ? 0 : STAKE_PERMISSION),
    type: value.kind === wanted && type === TYPES[wanted],
    owner: value.kind !== "opaque" && value.ownerAddress === addressToHex(from),
  };
  if (value.kind === "transfer") {
    said.recipient = value.toAddress === toHex;
    said.amount = value.amount === units;
  } else if (value.kind === "trigger") {
    said.contract = wanted === "trigger" && value.contractAddress === contractHexOf(config, currency);
    said.selector = value.data.startsWith(TRANSFER_SELECTOR) && value.data.length === 136;
    said.recipient = addressAt(value.data, 0) === toHex;
    said.amount = uintAt(value.data, 1) === units;
    said.call_value = value.callValue === 0n && value.callTokenValue === 0n && value.tokenId === 0n;
  } else if (value.kind === "delegate" || value.kind === "undelegate") {
    said.lock = value.kind === "undelegate" || (!value.lock && value.lockPeriod === 0n);
    said.resource = value.resource === "ENERGY";
    said.recipient = value.receiverAddress === toHex;
    said.amount = value.balance === units;
  }
  return Object.entries(said).find(([, isSame]) => !isSame)?.[0];
}
