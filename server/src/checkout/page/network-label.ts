import { explorerTxUrl, knownNetwork, type NetworkSettings } from "../../chain/nodes/networks.ts";

/** What a payer, and a wallet in the payer's browser, is told of the network. */
export type NetworkLabel = {
  /** null on mainnet: there, nothing needs to be said about the value of coins */
  readonly testNetwork: Exclude<NetworkSettings["network"], "mainnet"> | null;
  /** the id of block 0, which tells the network from others; null of a devnet, which makes its own */
  readonly genesisId: string | null;
  readonly usdtContract: string | null;
  /** the page of a transaction at an explorer; null where the network has none */
  transactionUrl(txId: string): string | null;
};

/** The label of the network that this deployment is of. */
export function networkLabel(settings: NetworkSettings): NetworkLabel {
  const network = knownNetwork(settings);
  return {
    testNetwork: settings.network === "mainnet" ? null : settings.network,
    genesisId: network?.genesisId ?? null,
    usdtContract: network?.usdtContract ?? null,
    transactionUrl: (txId) => (network === undefined ? null : explorerTxUrl(network, txId)),
  };
}
