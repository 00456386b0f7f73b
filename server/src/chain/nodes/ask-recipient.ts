import { addressWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { AnswerError, readObject } from "../blocks/read-json.ts";
import type { TronNode } from "./chain-reader.ts";
import { parseIsAccount } from "./parse-account.ts";
import { callOf, parseCallOfNumber } from "./parse-contract-call.ts";

const BLACKLIST = "isBlackListed(address)";

/** What a node reports at its head of an address that is to receive money. */
export type Recipient = {
  readonly isActivated: boolean;
  readonly isContract: boolean;
  /** USDT can be sent to a blacklisted address, but never leaves it */
  readonly isBlacklisted: boolean;
};

/** @throws NodeError when the node fails, or the token (base58) has no blacklist. */
export async function askRecipient(
  node: Pick<TronNode, "call">,
  { address, token }: { readonly address: string; readonly token: string },
): Promise<Recipient> {
  const hex = addressToHex(address);
  const account = await node.call("/wallet/getaccount", { address: hex }, (answer) => ({
    isActivated: parseIsAccount(answer, hex),
    isContract: readObject(answer, "account").type === "Contract",
  }));
  const question = callOf(token, BLACKLIST, addressWord(hex));
  const isBlacklisted = await node.call("/wallet/triggerconstantcontract", question, (answer) => {
    const verdict = parseCallOfNumber(answer, BLACKLIST);
    if (verdict === undefined) throw new AnswerError("there is no token contract");
    return verdict !== 0n;
  });
  return { ...account, isBlacklisted };
}
