import { addressWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { readInt64, readObject } from "../blocks/read-json.ts";
import type { TronNode } from "./chain-reader.ts";
import { parseIsAccount, parsePermissions } from "./parse-account.ts";
import { callOf, parseOptionalNumber } from "./parse-contract-call.ts";
import type { WalletPermissions } from "./wallet-permissions.ts";

type Node = Pick<TronNode, "call">;

/** An account at the node's head; a contract is one too. */
export type NodeAccount = {
  readonly isActivated: boolean;
  readonly isContract: boolean;
  /** sun */
  readonly trx: bigint;
  /** empty for an account that is not activated yet: its own key will have all of them */
  readonly permissions: WalletPermissions;
};

/** @throws NodeError when the node fails, or answers with another account. */
export function fetchAccount(node: Node, address: string): Promise<NodeAccount> {
  const hex = addressToHex(address);
  return node.call("/wallet/getaccount", { address: hex }, (answer) => {
    const account = readObject(answer, "account");
    return {
      isActivated: parseIsAccount(account, hex),
      isContract: account.type === "Contract",
      trx: readInt64(account.balance, "balance"),
      permissions: parsePermissions(account),
    };
  });
}

/**
 * A view of Tether's token that answers a number. It is 0 for a token without this function: that one has no pause, no
 * fee and no black list.
 *
 * @throws NodeError when the node fails, or there is no such contract.
 */
export async function callTokenView(
  node: Node,
  token: string,
  { view, address }: { view: string; address?: string },
): Promise<bigint> {
  const parameter = address === undefined ? "" : addressWord(addressToHex(address));
  const number = await node.call(
    "/wallet/triggerconstantcontract",
    callOf(token, view, parameter),
    (answer) => parseOptionalNumber(answer, view),
  );
  return number ?? 0n;
}

/** Whether a token has blacklisted an address: such money can be sent to it, but never leaves it. */
export async function isBlacklisted(node: Node, token: string, address: string): Promise<boolean> {
  return (await callTokenView(node, token, { view: "isBlackListed(address)", address })) !== 0n;
}
