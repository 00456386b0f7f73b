import { z } from "zod";
import { choiceOf, httpUrl, list, setting } from "../runtime/setting.ts";
import { networkNames } from "./networks.ts";

/** Which chain, and which nodes say what is on it. */
export const chainSettings = {
  network: setting({
    env: "TRON_NETWORK",
    read: choiceOf(networkNames).prefault("nile"),
    default: "nile",
    roles: ["all"],
    meaning:
      "mainnet is the live environment; nile, shasta and devnet (a local chain) are the test environment. A node of another network stops the start.",
  }),
  nodeUrls: setting({
    env: "TRON_NODE_URLS",
    read: list.refine(
      (urls) => urls.length > 0 && urls.every(httpUrl),
      "must be http or https URLs with commas between",
    ),
    default: "required",
    roles: ["api", "watcher"],
    meaning:
      "HTTP APIs of TRON nodes, first choice first. Each must serve /wallet and, unless TRON_SOLIDITY_URLS says otherwise, /walletsolidity.",
  }),
  solidityUrls: setting({
    env: "TRON_SOLIDITY_URLS",
    read: list
      .refine((urls) => urls.every(httpUrl), "must be http or https URLs with commas between")
      .prefault(""),
    default: "as TRON_NODE_URLS",
    roles: ["api", "watcher"],
    meaning:
      "Where each node of TRON_NODE_URLS serves /walletsolidity, in the same order: a java-tron of your own has it on port 8091.",
  }),
  apiKey: setting({
    env: "TRON_API_KEY",
    read: z.string().min(1).optional(),
    default: "none",
    roles: ["api", "watcher"],
    meaning: "Sent to the nodes as TRON-PRO-API-KEY.",
  }),
};

/** What is wrong with the nodes together, where each of them is right by itself. */
export function faultOfNodes(
  nodeUrls: readonly string[] | undefined,
  solidityUrls: readonly string[],
): string | undefined {
  if (solidityUrls.length === 0 || solidityUrls.length === nodeUrls?.length) return undefined;
  const { nodeUrls: nodes, solidityUrls: solidity } = chainSettings;
  return `${solidity.env} must name one URL for each of ${nodes.env}, in the same order`;
}
