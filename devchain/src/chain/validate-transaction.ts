import { addressToBase58 } from "@daric/tron/address";
import { contractTypeName } from "@daric/tron/contract-types";
import { recoverSigner } from "@daric/tron/signature";
import {
  encodeTransaction,
  type TransferContract,
  type TriggerSmartContract,
  type TronTransaction,
} from "@daric/tron/transaction";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import { MAX_EXPIRATION_MS, MAX_TRANSACTION_BYTES, RESULT_BYTES } from "./chain-parameters.ts";

/** What the checks need to know of the chain. */
export type ChainFacts = {
  /** block time of the head, milliseconds */
  readonly headTimeMs: number;
  /** the id of the newest block whose number ends in these two bytes, if there is one */
  blockIdByReference(refBlockBytes: string): string | undefined;
  isKnown(txId: string): boolean;
};

/** The contract of a transaction that this chain runs. */
export type RunnableContract = TransferContract | TriggerSmartContract;

/** Owner permission 0 and the default active permission 2: both belong to the account's own key. */
const OWN_KEY_PERMISSIONS: readonly number[] = [0, 2];

/**
 * Everything a node checks before it runs a transaction: signature, reference block, size, expiration,
 * repetition. Source: java-tron Manager.pushTransaction and processTransaction.
 *
 * @throws BroadcastRefusal for the first that does not hold.
 */
export function validateTransaction(transaction: TronTransaction, facts: ChainFacts): void {
  if (facts.isKnown(transaction.txId)) throw new BroadcastRefusal("DUP_TRANSACTION_ERROR", "");
  const contract = runnableContract(transaction);
  validateSignature(transaction, contract.ownerAddress);
  validateReference(transaction, facts);
  if (encodeTransaction(transaction).length + RESULT_BYTES > MAX_TRANSACTION_BYTES) {
    throw new BroadcastRefusal("TOO_BIG_TRANSACTION_ERROR", "");
  }
  validateExpiration(transaction, facts.headTimeMs);
}

/**
 * The one contract of a transaction.
 *
 * @throws BroadcastRefusal for none, for several, and for a type this chain does not run.
 */
export function runnableContract(transaction: TronTransaction): RunnableContract {
  const [contract, ...others] = transaction.raw.contracts;
  if (contract === undefined) throw new BroadcastRefusal("SIGERROR", "miss sig or contract");
  if (others.length > 0) throw contractRefusal("act size should be exactly 1, this is extend feature");
  const { type, value } = contract;
  if (value.kind === "transfer" || value.kind === "trigger") return value;
  throw contractRefusal(`${contractTypeName(type)} is not supported by this chain`);
}

/**
 * Refuses (SIGERROR) all but the one signature of the owner's own key, under a permission that key has.
 *
 * @throws BroadcastRefusal for anything but the one right signature.
 */
export function validateSignature(transaction: TronTransaction, ownerAddress: string): void {
  const [signature, ...others] = transaction.signatures;
  if (signature === undefined) throw new BroadcastRefusal("SIGERROR", "miss sig or contract");
  if (others.length > 0) throw new BroadcastRefusal("SIGERROR", "too many signatures");
  const permissionId = transaction.raw.contracts[0]?.permissionId ?? 0;
  if (!OWN_KEY_PERMISSIONS.includes(permissionId)) {
    throw new BroadcastRefusal("SIGERROR", "permission isn't exit");
  }
  if (signature.length < 130) {
    throw new BroadcastRefusal("SIGERROR", `Signature size is ${signature.length / 2}`);
  }
  const signer = recoverSigner(transaction.txId, signature);
  if (signer === ownerAddress) return;
  const by = signer === undefined ? "nobody" : addressToBase58(signer);
  throw new BroadcastRefusal(
    "SIGERROR",
    `${signature} is signed by ${by} but it is not contained of permission.`,
  );
}

function validateReference({ raw }: TronTransaction, facts: ChainFacts): void {
  const id = facts.blockIdByReference(raw.refBlockBytes);
  if (id?.slice(16, 32) !== raw.refBlockHash) throw new BroadcastRefusal("TAPOS_ERROR", "");
}

function validateExpiration({ raw }: TronTransaction, headTimeMs: number): void {
  const headTime = BigInt(headTimeMs);
  if (raw.expiration <= headTime || raw.expiration > headTime + BigInt(MAX_EXPIRATION_MS)) {
    throw new BroadcastRefusal("TRANSACTION_EXPIRATION_ERROR", "");
  }
}
