import type { Environment } from "@daric/domain/api-scope";
import {
  assets,
  type ContractField,
  type Currency,
  contractField,
  DEFAULT_CURRENCY,
  type Token,
  type TokenCurrency,
  tokenCurrencies,
} from "@daric/domain/asset";
import { addressToHex, hexToAddress, isAddressHex } from "@daric/tron/address";
import { NodeError } from "../blocks/node-error.ts";
import { AnswerError, readHash, readObject, readText } from "../blocks/read-json.ts";

const DEVNET_TIMEOUT_MS = 5_000;
const DEVNET_MAX_BODY_BYTES = 64 * 1024;
const TX_ID_PLACE = "{txId}";

/** `devnet` is the local chain of this project; `private` is another private java-tron chain, such as tre or tron-docker. */
export const networkNames = ["mainnet", "nile", "shasta", "devnet", "private"] as const;
export type NetworkName = (typeof networkNames)[number];
/** The networks with a fixed genesis block and fixed token contracts. */
export type PublicNetworkName = Exclude<NetworkName, "devnet" | "private">;

export type Network = {
  readonly name: NetworkName;
  readonly environment: Environment;
  /** id of block 0, which identifies the network; addresses look the same everywhere */
  readonly genesisId: string;
  /** the accepted tokens that have a contract here */
  readonly tokens: readonly Token[];
  readonly explorerTxTemplate: string | null;
};

/** The contracts of tokens by their fields, in base58. */
type Contracts = { readonly [Field in ContractField]?: string | undefined };

export type NetworkSettings = Contracts & {
  readonly network: NetworkName;
  readonly genesisId?: string | undefined;
};

/** Genesis ids as each network's block 0 prints them. */
export const publicNetworks: Readonly<Record<PublicNetworkName, Network>> = {
  mainnet: {
    name: "mainnet",
    environment: "live",
    genesisId: "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
    tokens: tokensOn("mainnet"),
    explorerTxTemplate: "https://tronscan.org/#/transaction/{txId}",
  },
  nile: {
    name: "nile",
    environment: "test",
    genesisId: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
    tokens: tokensOn("nile"),
    explorerTxTemplate: "https://nile.tronscan.org/#/transaction/{txId}",
  },
  shasta: {
    name: "shasta",
    environment: "test",
    genesisId: "0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e",
    tokens: tokensOn("shasta"),
    explorerTxTemplate: "https://shasta.tronscan.org/#/transaction/{txId}",
  },
};

function tokensOn(network: PublicNetworkName): readonly Token[] {
  return tokenCurrencies.map((currency) => tokenAt(currency, assets[currency].contracts[network]));
}

/** The tokens that have a contract here. */
function tokensAt(contracts: Contracts): readonly Token[] {
  return tokenCurrencies.flatMap((currency) => {
    const contract = contracts[contractField(currency)];
    return contract === undefined ? [] : tokenAt(currency, contract);
  });
}

function tokenAt(currency: TokenCurrency, contract: string): Token {
  return { currency, contract, contractHex: addressToHex(contract) };
}

/** The contract of a coin in base58; undefined for TRX, and for a token that this network does not have. */
export function contractOf({ tokens }: Pick<Network, "tokens">, currency: Currency): string | undefined {
  return tokens.find((token) => token.currency === currency)?.contract;
}

/** Real money moves on mainnet only. */
export function networkEnvironment(name: NetworkName): Environment {
  return name === "mainnet" ? "live" : "test";
}

/** The network of these settings; undefined for a devnet, whose node reports its facts. */
export function knownNetwork(settings: NetworkSettings): Network | undefined {
  const { network, genesisId } = settings;
  if (network === "devnet") return undefined;
  if (network !== "private") return publicNetworks[network];
  if (genesisId === undefined || settings[contractField(DEFAULT_CURRENCY)] === undefined) return undefined;
  return localNetwork(network, genesisId, settings);
}

export function explorerTxUrl(network: Pick<Network, "explorerTxTemplate">, txId: string): string | null {
  return network.explorerTxTemplate?.replace(TX_ID_PLACE, txId) ?? null;
}

/** The network of these settings; a devnet is read from its first node. @throws NodeError if that node does not answer. */
export async function findNetwork(
  config: NetworkSettings & { readonly nodeUrls: readonly string[] },
): Promise<Network> {
  const known = knownNetwork(config);
  if (known !== undefined) return known;
  const [url] = config.nodeUrls;
  if (url === undefined) throw new NodeError("is not named", { fault: "unreachable", node: "the devnet" });
  return readDevnet(url);
}

/** Reads `GET /devchain/info`. @throws NodeError if the node does not answer, or is not a devnet. */
export async function readDevnet(url: string): Promise<Network> {
  // Loaded here, so that settings, which every command loads, load no HTTP client.
  const { openHttpJson } = await import("./http-json.ts");
  const http = openHttpJson({ url, timeoutMs: DEVNET_TIMEOUT_MS, maxBodyBytes: DEVNET_MAX_BODY_BYTES });
  try {
    return parseDevnet(await http.get("/devchain/info"));
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw new NodeError(`is no devnet: ${error.message}`, { fault: "unexpected_answer", node: http.label });
  } finally {
    await http.close();
  }
}

function parseDevnet(answer: unknown): Network {
  const info = readObject(answer, "devchain info");
  const contracts = Object.fromEntries(
    tokenCurrencies.flatMap((currency) => {
      const field = contractField(currency);
      const contract = readText(info[field], field);
      if (contract === undefined && currency !== DEFAULT_CURRENCY) return [];
      return [[field, toBase58(contract ?? "", field)]];
    }),
  );
  return localNetwork("devnet", readHash(info.genesisId, "genesisId"), contracts);
}

function toBase58(contract: string, field: string): string {
  try {
    return hexToAddress(isAddressHex(contract) ? contract : addressToHex(contract));
  } catch (error) {
    throw error instanceof TypeError ? new AnswerError(`${field} is not an address`) : error;
  }
}

function localNetwork(name: "devnet" | "private", genesisId: string, contracts: Contracts): Network {
  return {
    name,
    genesisId,
    environment: networkEnvironment(name),
    tokens: tokensAt(contracts),
    explorerTxTemplate: null,
  };
}
