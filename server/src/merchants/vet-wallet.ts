import { askAccount, isBlacklisted } from "../chain/nodes/ask-account.ts";
import { askQuorum } from "../chain/nodes/ask-quorum.ts";
import type { NodeGroup, TronNode } from "../chain/nodes/chain-reader.ts";
import type { Token } from "../domain/asset.ts";
import type { Amount } from "../domain/money.ts";

/** The nodes to ask, and the tokens of their network. */
export type WalletNodes = { readonly nodes: NodeGroup["nodes"]; readonly tokens: readonly Token[] };

/** What the chain knows of a wallet. `fault`: the reason why it must not receive money. */
export type WalletVetting = {
  readonly fault: string | undefined;
  /** TRX that the first transfer of TRX to it burns; undefined if it is activated */
  readonly activation: Amount<"TRX"> | undefined;
};

/**
 * Asks every node about a wallet. A fault that one of them reports counts, and so does the dearer price.
 * @throws NodeError when no node answers.
 */
export async function vetWallet({ nodes, tokens }: WalletNodes, address: string): Promise<WalletVetting> {
  const vettings = await askQuorum({ nodes }, 1, (node) => askNode(node, { address, tokens }));
  return {
    fault: vettings.find(({ fault }) => fault !== undefined)?.fault,
    activation: vettings
      .flatMap(({ activation }) => activation ?? [])
      .reduce<Amount<"TRX"> | undefined>(
        (most, one) => (most === undefined || one > most ? one : most),
        undefined,
      ),
  };
}

async function askNode(
  node: TronNode,
  { address, tokens }: { readonly address: string; readonly tokens: readonly Token[] },
): Promise<WalletVetting> {
  const { isActivated, isContract } = await askAccount(node, address);
  const verdicts = await Promise.all(tokens.map(({ contract }) => isBlacklisted(node, contract, address)));
  const blacklistedBy = tokens.find((_, index) => verdicts[index])?.currency;
  const contract = isContract ? "is a contract, not a wallet: its money may be lost" : undefined;
  return {
    fault: blacklistedBy ? `is blacklisted by ${blacklistedBy}: its money could never leave` : contract,
    activation: isActivated ? undefined : (await node.getResourcePrices()).activation,
  };
}
