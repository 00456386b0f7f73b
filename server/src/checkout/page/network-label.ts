import { explorerTxUrl, type NetworkName, publicNetworks } from "../../chain/networks.ts";
import type { Currency } from "../../domain/money.ts";

const TEST_NETWORKS: Record<Exclude<NetworkName, "mainnet">, string> = {
  nile: "Nile test network",
  shasta: "Shasta test network",
  devnet: "Local development chain",
};

/** How the network is named to a payer. */
export type NetworkLabel = {
  /** null on mainnet: there, nothing needs to be said about the value of coins */
  readonly testName: string | null;
  /** the page of a transaction at an explorer; null where the network has none */
  transactionUrl(txId: string): string | null;
};

/** The label of the network that this deployment is of. */
export function networkLabel(name: NetworkName): NetworkLabel {
  return {
    testName: name === "mainnet" ? null : TEST_NETWORKS[name],
    transactionUrl: (txId) => (name === "devnet" ? null : explorerTxUrl(publicNetworks[name], txId)),
  };
}

/** Currency and transfer standard in the words that wallets use: what decides whether a transfer arrives. */
export function currencyOnNetwork(currency: Currency): string {
  return currency === "USDT" ? "USDT on TRON (TRC-20)" : "TRX on TRON";
}
