import type { JsonTree } from "./json-text.ts";
import { renderAddress } from "./render-text.ts";

/** Operations an account's default active permission allows, as a bitmap over contract types. */
const ACTIVE_OPERATIONS = "7fff1fc0033ec307000000000000000000000000000000000000000000000000";

/** The owner permission every account begins with: its own key alone suffices. Number and type are 0, so absent. */
export function renderOwnerPermission(address: string, visible: boolean): JsonTree {
  return { permission_name: "owner", ...ownKey(address, visible) };
}

/** The active permission every account begins with. */
export function renderActivePermission(address: string, visible: boolean): JsonTree {
  return {
    type: "Active",
    id: 2,
    permission_name: "active",
    operations: ACTIVE_OPERATIONS,
    ...ownKey(address, visible),
  };
}

/** The permission that a witness signs blocks by, with the one key it has. */
export function renderWitnessPermission(key: string, visible: boolean): JsonTree {
  return { type: "Witness", id: 1, permission_name: "witness", ...ownKey(key, visible) };
}

function ownKey(address: string, visible: boolean): { threshold: bigint; keys: JsonTree } {
  return { threshold: 1n, keys: [{ address: renderAddress(address, visible), weight: 1n }] };
}
