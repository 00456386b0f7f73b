import type { NodeFault } from "@daric/chain/blocks/node-error";
import type { Dice } from "../../faults/dice.ts";
import { lies as lieKinds } from "../../faults/lies.ts";
import type { Json, Lie, NodeReply } from "../../faults/lying-node.ts";
import { makeBlock, type SimBlock, SLOT_LENGTH_MS } from "../chain/block.ts";
import { wordOf } from "../chain/bytes.ts";
import { keyOf } from "../chain/keys.ts";
import type { IncludedTransaction } from "../chain/transactions.ts";
import { invalidTexts } from "./invalid-texts.ts";
import {
  changing,
  hasTransactions,
  instead,
  isBlock,
  isDirect,
  isHead,
  isInfos,
  isRouted,
  isSolid,
  rawOf,
  type SimLie,
} from "./lie-builders.ts";
import { UnusualAnswer } from "./sim-node.ts";

const broken = (breakdown: NodeFault | "text"): Lie =>
  instead(
    () => true,
    () => new UnusualAnswer({ breakdown }),
  );

/** Answers with the block at this distance from the requested one. */
const shifted =
  (isMeant: (answer: NodeReply) => boolean, by: number): Lie =>
  (answer) => {
    if (!isMeant(answer)) return undefined;
    const number = (rawOf(answer.honest)?.number ?? 0) + by;
    const question = { id_or_num: String(Math.max(1, number)), detail: answer.question?.detail ?? false };
    return answer.fetchHonest("/wallet/getblock", question);
  };

const first = (honest: Json): Json => honest.transactions?.[0] ?? honest[0];
const hasOneLog = (info: Json): boolean => isDirect(info) && info.log?.length === 1;

/** Faulty bodies for any query. */
const bodies: SimLie[] = [
  {
    name: "every answer is {}",
    lie: instead(
      () => true,
      () => ({}),
    ),
  },
  {
    name: "every answer is []",
    lie: instead(
      () => true,
      () => [],
    ),
  },
  {
    name: "every answer is null",
    lie: instead(
      () => true,
      () => null,
    ),
  },
  {
    name: "every answer is a text",
    lie: instead(
      () => true,
      () => "text",
    ),
  },
  { name: "a page instead of JSON", lie: broken("text") },
  { name: "too many requests", lie: broken("rate_limited") },
  { name: "no answer in time", lie: broken("timeout") },
  { name: "no connection", lie: broken("unreachable") },
  { name: "an error of the gateway", lie: broken("http_status") },
];

/** Parts of a block that do not match. */
const parts: SimLie[] = [
  { name: "no infos", lie: instead(isInfos, () => []) },
  { name: "an info is missing", lie: changing(isInfos, (infos) => infos.pop()) },
  {
    name: "infos in reverse order",
    lie: instead(
      (a) => isInfos(a) && a.honest.length > 1,
      ({ honest }) => honest.reverse(),
    ),
  },
  { name: "infos twice", lie: instead(isInfos, ({ honest }) => [...honest, ...honest]) },
  { name: "infos of another number", lie: changing(isInfos, (infos) => (first(infos).blockNumber += 1)) },
  {
    name: "infos of another time",
    lie: changing(isInfos, (infos) => (first(infos).blockTimeStamp += 3_000)),
  },
  {
    name: "infos of another transaction",
    lie: changing(isInfos, (infos) => (first(infos).id = "ab".repeat(32))),
  },
  {
    name: "a block without transactions",
    lie: changing(hasTransactions, (block) => delete block.transactions),
  },
  {
    name: "a block with a transaction twice",
    lie: changing(hasTransactions, (block) => block.transactions.push(first(block))),
  },
  { name: "a block of another number", lie: shifted(isBlock, 1) },
  {
    name: "a block of another id",
    lie: changing(
      isBlock,
      (block) => (block.blockID = block.blockID.slice(0, -1) + (block.blockID.endsWith("0") ? "1" : "0")),
    ),
  },
  {
    name: "a block of another parent",
    lie: changing(
      isBlock,
      (block) => (rawOf(block).parentHash = `${rawOf(block).parentHash.slice(0, -2)}ee`),
    ),
  },
];

/** Wrong heights. */
const heights: SimLie[] = [
  {
    name: "blocks below the head are missing",
    lie: instead(isBlock, () => ({})),
  },
  ...[1, 5, 18, 40].map((by) => ({ name: `the head is ${by} blocks back`, lie: shifted(isHead, -by) })),
  ...[1, 5, 40].map((by) => ({ name: `the solid block is ${by} blocks back`, lie: shifted(isSolid, -by) })),
  ...[1, 10].map((by) => ({
    name: `the solid block is ${by} blocks ahead`,
    lie: shifted(isSolid, by),
  })),
];

/** Changed payments under the same block id; only the Merkle root reveals them. */
const sameId: SimLie[] = [
  {
    name: "a transfer of another amount",
    lie: changing(
      (a) => hasTransactions(a) && first(a.honest).raw_data.contract[0].type === "TransferContract",
      (block) => (first(block).raw_data.contract[0].parameter.value.amount += 1_000_000),
    ),
  },
  {
    name: "a transaction is left out",
    lie: changing(
      (a) => hasTransactions(a) && a.honest.transactions.length > 1,
      (block) => block.transactions.pop(),
    ),
  },
  {
    name: "a failed call succeeded",
    lie: ({ path, honest }) => {
      const failed = [honest?.transactions ?? honest]
        .flat()
        .find((entry: Json) => entry?.ret?.[0].contractRet === "REVERT");
      if (path !== "/wallet/getblock" || failed === undefined) return undefined;
      failed.ret[0].contractRet = "SUCCESS";
      return honest;
    },
  },
  {
    name: "a transaction is left out, and its info",
    lie: ({ path, honest }) => {
      if (path === "/wallet/getblock" && honest?.transactions?.length > 1) honest.transactions.pop();
      else if (path === "/wallet/gettransactioninfobyblocknum" && honest?.length > 1) honest.pop();
      else return undefined;
      return honest;
    },
  },
  {
    name: "a direct call's log of another amount",
    lie: changing(
      (a) => isInfos(a) && first(a.honest).log?.length === 1 && first(a.honest).log[0].data !== undefined,
      (infos) => (first(infos).log[0].data = "1".padStart(64, "0")),
    ),
  },
  {
    name: "a direct call's log twice",
    lie: changing(
      (a) => isInfos(a) && a.honest.some(hasOneLog),
      (infos) => {
        const { log } = infos.find(hasOneLog);
        log.push(log[0]);
      },
    ),
  },
  {
    name: "a failed call left its log",
    lie: changing(
      (a) => isInfos(a) && a.honest.some((info: Json) => info.receipt?.result === "REVERT"),
      (infos) => {
        const info = infos.find((entry: Json) => entry.receipt?.result === "REVERT");
        info.receipt.result = "SUCCESS";
        delete info.result;
      },
    ),
  },
];

/** Invented internal payments to an unused address: the block is true, its info is not. */
export const inventedMoney = (trapHex: string): SimLie[] => {
  const isContracts = (answer: NodeReply) =>
    isInfos(answer) && first(answer.honest).receipt?.result === "SUCCESS" && isRouted(first(answer.honest));
  return [
    {
      name: "a contract's log pays us too",
      lie: changing(isContracts, (infos) => {
        const log = first(infos).log?.at(-1);
        if (log?.topics.length === 3)
          first(infos).log.push({ ...log, topics: [log.topics[0], log.topics[1], wordOf(trapHex)] });
      }),
    },
    {
      name: "a contract sends us TRX too",
      lie: changing(isContracts, (infos) => {
        const sent = { hash: "cd".repeat(32), caller_address: trapHex, transferTo_address: trapHex };
        first(infos).internal_transactions ??= [];
        first(infos).internal_transactions.push({
          ...sent,
          caller_address: `41${"11".repeat(20)}`,
          callValueInfo: [{ callValue: 9_000_000 }],
          note: "63616c6c",
        });
      }),
    },
  ];
};

/**
 * Lies about direct calls of the token. A node that hides the logs of other contracts is believed
 * (docs/decisions/0003).
 */
const directCalls =
  (lie: Lie): Lie =>
  (answer) =>
    isInfos(answer) && answer.honest.some(isRouted) ? undefined : lie(answer);

const known: SimLie[] = Object.entries(lieKinds).map(([name, lie]) => ({
  name,
  lie: name === "payments of USDT have no logs" ? directCalls(lie) : lie,
}));

/** Every lie that must do no harm; invented money goes to this address. */
export function liesToInject(trapHex: string): readonly SimLie[] {
  return [
    ...known,
    ...bodies,
    ...parts,
    ...heights,
    ...sameId,
    ...inventedMoney(trapHex),
    ...invalidTexts(trapHex),
  ];
}

/** The depth of its start, its payments, and its blocks beyond the chain's length. */
type InventedBranch = {
  readonly depth: number;
  readonly payments: readonly IncludedTransaction[];
  readonly beyond: number;
  readonly dice: Dice;
};

/**
 * A liar's own branch: it has some true and some invented transactions, with correct links, roots and
 * signatures by its own key. Its extra blocks name no new witnesses, so that none of them is final.
 */
export function inventBranch(
  blocks: readonly SimBlock[],
  { depth, payments, beyond, dice }: InventedBranch,
): SimBlock[] {
  const branch = blocks.slice(0, -depth);
  const key = keyOf("a liar");
  const waiting = [...payments];
  for (const { included, witnessHex, timeMs } of blocks.slice(-depth)) {
    const isTaken = waiting.length > 0 && dice.chance(50);
    const made = [...included.filter(() => dice.chance(70)), ...(isTaken ? [waiting.pop()!] : [])];
    branch.push(makeBlock({ parent: branch.at(-1), timeMs, witnessHex, key, included: made }));
  }
  for (let made = 0; made < beyond; made += 1) {
    const last = branch.at(-1)!;
    const included = waiting.splice(0);
    const { witnessHex, timeMs } = last;
    branch.push(makeBlock({ parent: last, timeMs: timeMs + SLOT_LENGTH_MS, witnessHex, key, included }));
  }
  return branch;
}
