import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import type { NetworkName } from "@daric/chain/nodes/networks";
import { networkPaths } from "@daric/chain/nodes/settings";
import { createLookUp, type LookupQuestion, type LookupResult } from "@daric/deposits/lookup/look-up";
import { type NodeReport, resultOf } from "@daric/deposits/lookup/node-report";
import { formatAmount } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { ConfigError } from "@daric/runtime/setting";
import { hexToAddress } from "@daric/tron/address";
import { readSettings } from "../process/config.ts";
import type { Terminal } from "./terminal.ts";
import { nodeSettings, openNodes } from "./with-nodes.ts";

/** The most payments of a transaction in a line. */
const MAX_SHOWN = 5;

type Context = {
  readonly db: Queryable;
  readonly config: { readonly chain: { readonly network: NetworkName } };
};

/**
 * Looks for a transaction among what is ours, and then at the nodes. Returns what these say, and why it is no payment of ours: one
 * line for each node, and none if it is ours.
 */
export async function explainUnknown(
  { variables }: Terminal,
  { db, config }: Context,
  { txId, findOurs }: Pick<LookupQuestion<unknown>, "txId" | "findOurs">,
): Promise<string[]> {
  let client: TronClient | undefined;
  let fault = "none is set";
  const openChain = async () => {
    try {
      const { chain } = readSettings(variables, [...networkPaths, ...nodeSettings]);
      const opened = await openNodes(chain);
      ({ client } = opened);
      return opened;
    } catch (error) {
      if (!(error instanceof ConfigError) && !(error instanceof NodeError)) throw error;
      fault = error.message;
      return undefined;
    }
  };
  const lookUp = createLookUp({ config, clock: systemClock });
  const owner = { clientAddress: "operator" };
  const question = { db, txId, chain: openChain, owner, findOurs, isOurs: () => true };
  const result = await lookUp(question).finally(() => client?.close());
  if (result.nodes === undefined) return [];
  return client === undefined ? [`no node was asked: ${fault}`] : textsOf(result);
}

function textsOf({ nodes, readHeight }: LookupResult<unknown>): string[] {
  const { answers = [], report } = nodes ?? {};
  return answers.map(({ node, answer }) => {
    if (answer === "failed") return `${node} does not answer`;
    if (answer === "unknown" || report === undefined) return `${node} knows no such transaction in a block`;
    return `${node}: block ${report.blockNumber}, ${explain(report, readHeight)}`;
  });
}

function explain(report: NodeReport, readHeight: number): string {
  const { failure, elsewhere, toUs, blockNumber } = report;
  const [ours] = toUs;
  const to = ours === undefined ? "" : ` to our address ${hexToAddress(ours.toHex)}`;
  switch (resultOf(report)) {
    case "failed":
      return `it failed (${failure}), so it paid nothing`;
    case "other_address":
      return `it pays no address of ours: ${elsewhere.slice(0, MAX_SHOWN).map(textOf).join(", ") || "it moves no TRX and no token"}`;
    case "other_token":
      return `it sends a token that is not accepted${to}: this command shows it once its block is read`;
    case "seen":
      return `it pays${to}, and Daric has read the chain up to block ${readHeight} only: wait`;
    case "missed":
      return `it pays${to}, and Daric has read that block without it: \`daric scan --from ${blockNumber} --to ${blockNumber}\` reads it again`;
  }
}

function textOf({ toHex, money }: NodeReport["elsewhere"][number]): string {
  const what = money === undefined ? "another token" : `${formatAmount(money.amount)} ${money.currency}`;
  return `${what} to ${hexToAddress(toHex)}`;
}
