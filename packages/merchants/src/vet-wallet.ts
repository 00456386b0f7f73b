import type { NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import { fetchAccount, isBlacklisted } from "@daric/chain/nodes/fetch-account";
import { queryQuorum } from "@daric/chain/nodes/query-quorum";
import {
  describePermissions,
  digestPermissions,
  type OtherKeys,
  otherKeysOf,
} from "@daric/chain/nodes/wallet-permissions";
import type { Token } from "@daric/domain/asset";
import type { Amount } from "@daric/domain/money";

/** The nodes to query, and the tokens of their network. */
export type WalletNodes = { readonly nodes: NodeGroup["nodes"]; readonly tokens: readonly Token[] };

/** The nodes' facts about a wallet. `fault`: the reason why it must not receive money. */
export type WalletVetting = {
  readonly fault: string | undefined;
  /** TRX that the first transfer of TRX to it burns; undefined if it is activated */
  readonly activation: Amount<"TRX"> | undefined;
  /** the keys that may move its money: `own`, or a digest of its permissions */
  readonly permissions: string;
  /** a sentence for each permission that is not its own key's alone */
  readonly warnings: readonly string[];
  readonly otherKeys: OtherKeys;
};

/**
 * Queries every node about a wallet. A fault that any of them reports counts; of several prices the highest counts, and
 * of several permissions those that most nodes show.
 *
 * @throws NodeError when no node answers.
 */
export async function vetWallet({ nodes, tokens }: WalletNodes, address: string): Promise<WalletVetting> {
  const vettings = await queryQuorum({ nodes }, 1, (node) => vetAtNode(node, { address, tokens }));
  const votesOf = (vetting: WalletVetting) =>
    vettings.filter(({ permissions }) => permissions === vetting.permissions).length;
  const { permissions, warnings, otherKeys } = vettings.reduce((a, b) => (votesOf(b) > votesOf(a) ? b : a));
  return {
    permissions,
    warnings,
    otherKeys,
    fault: vettings.find(({ fault }) => fault !== undefined)?.fault,
    activation: vettings
      .flatMap(({ activation }) => activation ?? [])
      .reduce<Amount<"TRX"> | undefined>(
        (max, vetting) => (max === undefined || vetting > max ? vetting : max),
        undefined,
      ),
  };
}

async function vetAtNode(
  node: TronNode,
  { address, tokens }: { readonly address: string; readonly tokens: readonly Token[] },
): Promise<WalletVetting> {
  const { isActivated, isContract, permissions } = await fetchAccount(node, address);
  const verdicts = await Promise.all(tokens.map(({ contract }) => isBlacklisted(node, contract, address)));
  const blacklistedBy = tokens.find((_, index) => verdicts[index])?.currency;
  const contract = isContract ? "is a contract, not a wallet: its money may be lost" : undefined;
  return {
    permissions: digestPermissions(address, permissions),
    warnings: describePermissions(address, permissions),
    otherKeys: otherKeysOf(address, permissions),
    fault: blacklistedBy ? `is blacklisted by ${blacklistedBy}: its money could never leave` : contract,
    activation: isActivated ? undefined : (await node.getResourcePrices()).activation,
  };
}
