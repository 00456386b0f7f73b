import { addressWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import type { Token, TokenCurrency } from "../../domain/asset.ts";
import { AnswerError, readObject } from "../blocks/read-json.ts";
import type { TronNode } from "./chain-reader.ts";
import { parseIsAccount } from "./parse-account.ts";
import { callOf, parseCallOfNumber } from "./parse-contract-call.ts";

const BLACKLIST = "isBlackListed(address)";

/** What a node reports at its head of an address that is to receive money. */
export type Recipient = {
  readonly isActivated: boolean;
  readonly isContract: boolean;
  /** the first token that has blacklisted it: such money can be sent to it, but never leaves it */
  readonly blacklistedBy: TokenCurrency | undefined;
};

/** @throws NodeError when the node fails, or a token has no blacklist. */
export async function askRecipient(
  node: Pick<TronNode, "call">,
  { address, tokens }: { readonly address: string; readonly tokens: readonly Token[] },
): Promise<Recipient> {
  const hex = addressToHex(address);
  const account = await node.call("/wallet/getaccount", { address: hex }, (answer) => ({
    isActivated: parseIsAccount(answer, hex),
    isContract: readObject(answer, "account").type === "Contract",
  }));
  const verdicts = await Promise.all(
    tokens.map(({ contract }) => isBlacklisted(node, callOf(contract, BLACKLIST, addressWord(hex)))),
  );
  return { ...account, blacklistedBy: tokens.find((_, place) => verdicts[place])?.currency };
}

function isBlacklisted(node: Pick<TronNode, "call">, question: object): Promise<boolean> {
  return node.call("/wallet/triggerconstantcontract", question, (answer) => {
    const verdict = parseCallOfNumber(answer, BLACKLIST);
    if (verdict === undefined) throw new AnswerError("there is no token contract");
    return verdict !== 0n;
  });
}
