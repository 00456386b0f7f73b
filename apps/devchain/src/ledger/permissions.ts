import { addressToBase58 } from "@daric/tron/address";
import type { Permission } from "@daric/tron/contract-shapes";
import { recoverSigner } from "@daric/tron/signature";
import type { TronTransaction } from "@daric/tron/transaction";
import type { Account, Permissions } from "./account.ts";
import { BroadcastRefusal } from "./broadcast-refusal.ts";
import { MAX_SIGNATURES } from "./limits.ts";
import type { StateReader } from "./state.ts";

/** Contract types of an account's first active permission: all but a change of permissions. */
const FIRST_OPERATIONS = "7fff1fc0033ec30f000000000000000000000000000000000000000000000000";

/** Why signatures are not sufficient; the codes are those of getsignweight. */
export class PermissionProblem extends Error {
  override readonly name = "PermissionProblem";
  readonly code: "PERMISSION_ERROR" | "SIGNATURE_FORMAT_ERROR" | "COMPUTE_ADDRESS_ERROR";

  constructor(code: PermissionProblem["code"], text: string) {
    super(text);
    this.code = code;
  }
}

export type SignatureWeight = { readonly signers: readonly string[]; readonly weight: bigint };

/** An account's permissions; by default its own key has them all. */
export function permissionsOf(account: Account | undefined, address: string): Permissions {
  return account?.permissions ?? { owner: firstOwner(address), actives: [firstActive(address)] };
}

/** The permission that a transaction is signed under; undefined if its owner has none of that number. */
export function findPermission(
  state: StateReader,
  ownerAddress: string,
  permissionId: number,
): Permission | undefined {
  const { owner, actives } = permissionsOf(state.account(ownerAddress), ownerAddress);
  return permissionId === 0 ? owner : actives.find(({ id }) => id === permissionId);
}

/** Whether a permission allows contracts of this type. The owner permission allows all. */
export function allows({ type, operations }: Permission, contractType: number): boolean {
  if (type !== "Active") return true;
  const byte = Number.parseInt(operations.slice(2 * (contractType >> 3), 2 * (contractType >> 3) + 2), 16);
  return (byte & (1 << (contractType & 7))) !== 0;
}

/**
 * Sums the weights of a transaction's signatures. Source: java-tron TransactionCapsule.checkWeight.
 * @throws PermissionProblem for an unreadable signature, a key without weight, or a repeated one.
 */
export function weighSignatures({ keys }: Permission, transaction: TronTransaction): SignatureWeight {
  const { signatures } = transaction;
  if (signatures.length > keys.length) {
    const text = `Signature count is ${signatures.length} more than key counts of permission : ${keys.length}`;
    throw new PermissionProblem("PERMISSION_ERROR", text);
  }
  const signers = signersOf(transaction);
  const weights = signers.map((signer, place) => {
    const key = keys.find(({ address }) => address === signer);
    const shown = addressToBase58(signer);
    if (key === undefined) {
      const text = `${signatures[place]} is signed by ${shown} but it is not contained of permission.`;
      throw new PermissionProblem("PERMISSION_ERROR", text);
    }
    if (signers.indexOf(signer) !== place)
      throw new PermissionProblem("PERMISSION_ERROR", `${shown} has signed twice!`);
    return key.weight;
  });
  return { signers, weight: weights.reduce((total, weight) => total + weight, 0n) };
}

/** Recovering a key takes milliseconds, and a transaction is checked on several states. */
const recovered = new WeakMap<TronTransaction, readonly string[]>();

/** The signers of a transaction, in order. @throws PermissionProblem for a short or impossible signature. */
export function signersOf(transaction: TronTransaction): readonly string[] {
  const known = recovered.get(transaction);
  if (known !== undefined) return known;
  const signers = transaction.signatures.map((signature) => signerOf(transaction.txId, signature));
  recovered.set(transaction, signers);
  return signers;
}

function signerOf(txId: string, signature: string): string {
  if (signature.length < 130)
    throw new PermissionProblem("SIGNATURE_FORMAT_ERROR", `Signature size is ${signature.length / 2}`);
  const signer = recoverSigner(txId, signature);
  if (signer !== undefined) return signer;
  throw new PermissionProblem(
    "COMPUTE_ADDRESS_ERROR",
    "java.lang.IllegalArgumentException: Invalid point compression",
  );
}

/** Checks that the signatures reach the threshold of a permission. @throws BroadcastRefusal (SIGERROR) otherwise. */
export function validateSignatures(state: StateReader, transaction: TronTransaction): void {
  const [contract] = transaction.raw.contracts;
  const { signatures } = transaction;
  if (contract === undefined || contract.value.kind === "opaque" || signatures.length === 0)
    throw new BroadcastRefusal("SIGERROR", "miss sig or contract");
  if (signatures.length > MAX_SIGNATURES) throw new BroadcastRefusal("SIGERROR", "too many signatures");
  const { permissionId, type, value } = contract;
  const permission = findPermission(state, value.ownerAddress, permissionId);
  if (permission === undefined) throw new BroadcastRefusal("SIGERROR", "permission isn't exit");
  if (permissionId !== 0 && !allows(permission, type))
    throw new BroadcastRefusal("SIGERROR", "Permission denied");
  try {
    const { weight } = weighSignatures(permission, transaction);
    if (weight < permission.threshold) throw new BroadcastRefusal("SIGERROR", "sig error");
  } catch (error) {
    if (error instanceof PermissionProblem) throw new BroadcastRefusal("SIGERROR", error.message);
    throw error;
  }
}

/** The permission that a witness signs blocks by, with its one key. */
export function witnessPermission(address: string): Permission {
  return { ...firstOwner(address), type: "Witness", id: 1, permissionName: "witness" };
}

function firstOwner(address: string): Permission {
  return {
    type: "Owner",
    id: 0,
    permissionName: "owner",
    threshold: 1n,
    parentId: 0,
    operations: "",
    keys: [{ address, weight: 1n }],
  };
}

function firstActive(address: string): Permission {
  const operations = FIRST_OPERATIONS;
  return { ...firstOwner(address), type: "Active", id: 2, permissionName: "active", operations };
}
