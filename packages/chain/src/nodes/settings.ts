import {
  assets,
  type ContractField,
  contractField,
  DEFAULT_CURRENCY,
  tokenCurrencies,
} from "@daric/domain/asset";
import { choiceOf, httpUrl, list, type Setting, setting } from "@daric/runtime/setting";
import { hexToAddress, isAddress, isAddressHex } from "@daric/tron/address";
import { z } from "zod";
import { repeatedHost } from "./different-nodes.ts";
import { type NetworkSettings, networkNames } from "./networks.ts";

const genesisId = z
  .string()
  .toLowerCase()
  .regex(/^0{16}[0-9a-f]{48}$/, "must be the id of block 0: 64 hex digits that begin with 16 zeros");

/** base58 or hex, read as base58 */
const contract = z
  .string()
  .transform((text) => (isAddressHex(text.toLowerCase()) ? hexToAddress(text.toLowerCase()) : text))
  .refine(isAddress, "must be the address of a contract: base58 (T…) or 42 hex digits (41…)");

/** The contract of each token on a private chain, by its field. A chain need not have every token. */
const contractSettings = Object.fromEntries(
  tokenCurrencies.map((currency) => [
    contractField(currency),
    setting({
      env: `${currency}_CONTRACT`,
      read: contract.optional(),
      default:
        currency === DEFAULT_CURRENCY
          ? "none; required with TRON_NETWORK=private, and refused elsewhere"
          : "none; refused but with TRON_NETWORK=private",
      roles: ["all"],
      meaning: `The TRC-20 contract of a private chain that counts as ${currency}: of ${assets[currency].decimals} decimals, as base58 or hex.`,
    }),
  ]),
) as Readonly<Record<ContractField, Setting<string | undefined, "all">>>;

/** Gateways take keys in the path, and some in place of a user. */
function hostsOf(urls: readonly string[]): string {
  return urls.map((url) => new URL(url).origin).join(",");
}

export const chainSettings = {
  network: setting({
    env: "TRON_NETWORK",
    read: choiceOf(networkNames).prefault("nile"),
    default: "nile",
    roles: ["all"],
    meaning:
      "mainnet is the live environment; nile, shasta, devnet (the local chain of this project) and private (a java-tron chain of your own) are the test environment. A node of another network stops the start.",
  }),
  genesisId: setting({
    env: "TRON_GENESIS_ID",
    read: genesisId.optional(),
    default: "none; required with TRON_NETWORK=private, and refused elsewhere",
    roles: ["all"],
    meaning: "The id of block 0 of a private chain.",
  }),
  ...contractSettings,
  nodeUrls: setting({
    env: "TRON_NODE_URLS",
    read: list
      .refine((urls) => urls.length > 0 && urls.every(httpUrl), {
        message: "must be http or https URLs with commas between",
        abort: true,
      })
      .superRefine((urls, issue) => {
        const host = repeatedHost(urls);
        if (host !== undefined) issue.addIssue({ code: "custom", message: faultOfRepeated(host) });
      }),
    shown: hostsOf,
    warning: warningOfNodes,
    default: "required",
    roles: ["api", "watcher", "settlement"],
    meaning:
      "HTTP APIs of TRON nodes, first choice first, each of another host. Each must serve /wallet and, unless TRON_SOLIDITY_URLS says otherwise, /walletsolidity.",
  }),
  solidityUrls: setting({
    env: "TRON_SOLIDITY_URLS",
    read: list
      .refine((urls) => urls.every(httpUrl), "must be http or https URLs with commas between")
      .prefault(""),
    shown: hostsOf,
    default: "as TRON_NODE_URLS",
    roles: ["api", "watcher", "settlement"],
    meaning:
      "Where each node of TRON_NODE_URLS serves /walletsolidity, in the same order: a java-tron of your own has it on port 8091.",
  }),
  apiKey: setting({
    env: "TRON_API_KEY",
    read: z
      .string()
      .regex(/^[ -~]+$/, "must be printable ASCII, as a header is")
      .optional(),
    secret: true,
    default: "none",
    roles: ["api", "watcher", "settlement"],
    meaning: "Sent to the nodes as TRON-PRO-API-KEY.",
  }),
};

/** The settings that name a network, as paths. */
export const networkPaths = [
  "chain.network",
  "chain.genesisId",
  ...tokenCurrencies.map((currency) => `chain.${contractField(currency)}` as const),
] as const;

/** The fault of a network together with its ids, each valid by itself. */
export function faultOfNetwork(settings: NetworkSettings): string | undefined {
  const fields = ["genesisId", ...tokenCurrencies.map(contractField)] as const;
  const required: readonly string[] = ["genesisId", contractField(DEFAULT_CURRENCY)];
  const { env: network } = chainSettings.network;
  for (const field of fields) {
    const { env, meaning } = chainSettings[field];
    const isGiven = settings[field] !== undefined;
    if (settings.network === "private" && !isGiven && required.includes(field))
      return `${env} is required with ${network}=private: ${meaning}`;
    if (settings.network !== "private" && isGiven)
      return `${env} is for ${network}=private alone: ${settings.network} has it built in`;
  }
  return undefined;
}

/** The fault of the node URLs together, each valid by itself. */
export function faultOfNodes(
  nodeUrls: readonly string[] | undefined,
  solidityUrls: readonly string[],
): string | undefined {
  if (solidityUrls.length === 0 || solidityUrls.length === nodeUrls?.length) return undefined;
  const { nodeUrls: nodes, solidityUrls: solidity } = chainSettings;
  return `${solidity.env} must name one URL for each of ${nodes.env}, in the same order`;
}

function faultOfRepeated(host: string): string {
  return `names the host ${host} twice, and one host is one node: name each host once`;
}

/** The text repeats no URL, because a URL may hold a key. */
function warningOfNodes(urls: readonly string[]): string | undefined {
  return urls.some((url) => /\/(wallet|walletsolidity|jsonrpc)\/?$/.test(url))
    ? "has a URL that ends in a path of the node's API, which is added to it"
    : undefined;
}
