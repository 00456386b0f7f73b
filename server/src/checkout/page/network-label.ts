import { explorerTxUrl, knownNetwork, type NetworkName } from "../../chain/networks.ts";

/** What a payer is told of the network. */
export type NetworkLabel = {
  /** null on mainnet: there, nothing needs to be said about the value of coins */
  readonly testNetwork: Exclude<NetworkName, "mainnet"> | null;
  /** the page of a transaction at an explorer; null where the network has none */
  transactionUrl(txId: string): string | null;
};

/** The label of the network that this deployment is of. */
export function networkLabel(name: NetworkName): NetworkLabel {
  const network = knownNetwork({ network: name });
  return {
    testNetwork: name === "mainnet" ? null : name,
    transactionUrl: (txId) => (network === undefined ? null : explorerTxUrl(network, txId)),
  };
}
