import { createHash } from "node:crypto";

/** A permission of an account: keys whose weights together reach the threshold act for it. */
export type WalletPermission = {
  /** `owner`, or the name of an active permission */
  readonly name: string;
  readonly isOwner: boolean;
  readonly threshold: bigint;
  /** base58 addresses */
  readonly keys: readonly { readonly address: string; readonly weight: bigint }[];
  /** a bit for each type of contract, in hex; empty for the owner, who may do everything */
  readonly operations: string;
};

/** The owner's and the active permissions of an account. A witness's permission moves no money, so it is left out. */
export type WalletPermissions = readonly WalletPermission[];

/** The digest of a wallet that only its own key moves, and of one without an account. */
export const OWN_KEY_ONLY = "own";

/**
 * TRON's types of contracts that take money out of an account or change its permissions. They are transfers, token
 * sales, calls and deployments of contracts, exchanges, permissions and markets.
 */
const MOVES_MONEY = [1, 2, 9, 30, 31, 41, 42, 44, 46, 52];

/** Identifies the keys that may move a wallet. The order of keys and the names of permissions do not matter. */
export function digestPermissions(address: string, permissions: WalletPermissions): string {
  if (permissions.every((permission) => isOwn(address, permission))) return OWN_KEY_ONLY;
  const parts = permissions.map(({ isOwner, threshold, keys, operations }) =>
    JSON.stringify([
      isOwner ? "owner" : operations,
      String(threshold),
      keys.map((key) => `${key.address} ${key.weight}`).toSorted(),
    ]),
  );
  return createHash("sha256")
    .update(JSON.stringify([address, parts.toSorted()]))
    .digest("hex")
    .slice(0, 32);
}

/** A sentence for each permission that is not the wallet's own key alone. */
export function describePermissions(address: string, permissions: WalletPermissions): string[] {
  return permissions
    .filter((permission) => !isOwn(address, permission))
    .map((permission) => {
      const { name, isOwner, threshold, keys } = permission;
      const named = keys.map(
        (key) => `${key.address === address ? "its own key" : key.address} (${key.weight})`,
      );
      const title = isOwner ? "Its owner permission" : `Its active permission "${name}"`;
      const needs = `${title} needs the weight ${threshold} of ${named.join(", ")}`;
      if (!movesMoney(permission)) return `${needs}: it cannot move money.`;
      const others = othersMoving(address, permission);
      const own = keys.find((key) => key.address === address)?.weight ?? 0n;
      return [
        `${needs}.`,
        ...(others.length > 0 ? [`Without its own key, ${listOf(others)} may move all of it.`] : []),
        ...(isOwner && own < threshold ? ["Its own key alone cannot move it."] : []),
      ].join(" ");
    });
}

/** Addresses of the keys beside a wallet's own: all of them, and those that move all of its money without its own. */
export type OtherKeys = { readonly all: readonly string[]; readonly moving: readonly string[] };

export function otherKeysOf(address: string, permissions: WalletPermissions): OtherKeys {
  const all = permissions.flatMap(({ keys }) => othersIn(address, keys).map((key) => key.address));
  const moving = permissions.flatMap((permission) => othersMoving(address, permission));
  return { all: [...new Set(all)], moving: [...new Set(moving)] };
}

function othersMoving(address: string, permission: WalletPermission): string[] {
  const others = othersIn(address, permission.keys);
  const sum = others.reduce((weight, key) => weight + key.weight, 0n);
  return movesMoney(permission) && sum >= permission.threshold ? others.map((key) => key.address) : [];
}

function othersIn(address: string, keys: WalletPermission["keys"]): WalletPermission["keys"] {
  return keys.filter((key) => key.address !== address);
}

function listOf(addresses: readonly string[]): string {
  return addresses.length === 1 ? `another key, ${addresses[0]},` : `other keys (${addresses.join(", ")})`;
}

/** Whether the wallet's own key has the permission, and no other key. */
function isOwn(address: string, { threshold, keys }: WalletPermission): boolean {
  return keys.every((key) => key.address === address && key.weight >= threshold) && keys.length === 1;
}

function movesMoney({ isOwner, operations }: WalletPermission): boolean {
  const byteOf = (type: number) => Number.parseInt(operations.slice(2 * (type >> 3)).slice(0, 2), 16) || 0;
  return isOwner || MOVES_MONEY.some((type) => (byteOf(type) & (1 << (type & 7))) !== 0);
}
