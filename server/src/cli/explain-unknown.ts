import type { Queryable } from "@daric/postgres/sql";
import { hexToAddress } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import { findOwners } from "../addresses/directory-store.ts";
import { type NodeTransaction, transfersOfNodeTransaction } from "../chain/blocks/node-transaction.ts";
import type { TronNode } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { queryNode } from "../checkout/lookup/look-up-payment.ts";
import { matchNodeTransaction } from "../checkout/lookup/match-transaction.ts";
import { findReadHeight } from "../checkout/lookup/store.ts";
import { formatAmount } from "../domain/money.ts";

type Chain = {
  readonly client: { readonly nodes: readonly Pick<TronNode, "findRun" | "label">[] };
  readonly network: Pick<Network, "tokens" | "name">;
};

/** Returns how each node explains a transaction that is no payment of ours, and why it is none; by the rules of the payer's look-up. */
export async function explainUnknown(
  db: Queryable,
  { client, network }: Chain,
  txId: string,
): Promise<string[]> {
  const headNumber = await findReadHeight(db, network.name);
  return Promise.all(
    client.nodes.map(async (node) => {
      const run = await queryNode(node, txId);
      if (run === "failed") return `${node.label} does not answer`;
      if (run === "unknown") return `${node.label} knows no such transaction in a block`;
      return `${node.label}: block ${run.info.blockNumber}, ${await explain(db, run, { network, headNumber })}`;
    }),
  );
}

async function explain(
  db: Queryable,
  run: NodeTransaction,
  { network: { tokens }, headNumber }: Pick<Chain, "network"> & { readonly headNumber: number },
): Promise<string> {
  const { transfers, unsupported, callValues } = transfersOfNodeTransaction(run, tokens);
  const payees = [...transfers, ...unsupported].map(({ toHex }) => toHex);
  const owners = await findOwners(db, payees.map(hashOfHex));
  const ours = payees.filter((hex) => owners.some(({ hash }) => hash.equals(hashOfHex(hex))));
  const [addressHex = ""] = ours;
  const currency = transfers.find(({ toHex }) => toHex === addressHex)?.currency ?? "USDT";
  const expected = {
    addressesHex: ours.slice(0, 1),
    currency,
    due: null,
    tokens,
    headNumber,
    requiredConfirmations: 0,
  };
  const found = matchNodeTransaction(run, expected);
  const to = addressHex === "" ? "" : ` to our address ${hexToAddress(addressHex)}`;
  const { blockNumber } = run.info;
  switch (found?.result) {
    case "failed":
      return `it failed (${run.transaction.contractRet}), so it paid nothing`;
    case "other_address": {
      const paid = [...transfers, ...callValues].map(
        ({ units, currency, toHex }) => `${formatAmount(units)} ${currency} to ${hexToAddress(toHex)}`,
      );
      return `it pays no address of ours: ${paid.length === 0 ? "no TRX and no accepted token" : paid.join(", ")}`;
    }
    case "other_token":
      return `it sends a token that is not accepted${to}: this command shows it once its block is read`;
    case "seen":
      return `it pays${to}, and Daric has read the chain up to block ${headNumber} only: wait`;
    default:
      return `it pays${to}, and Daric has read that block without it: \`daric scan --from ${blockNumber} --to ${blockNumber}\` reads it again`;
  }
}
