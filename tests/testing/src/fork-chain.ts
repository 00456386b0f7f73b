import { createHash } from "node:crypto";
import type { Block } from "@daric/chain/blocks/parse-block";
import type { ChainTransaction } from "@daric/chain/blocks/parse-transaction";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { amountIn } from "@daric/domain/money";
import { addressToHex } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { aHeader, someWitnesses } from "./witnesses.ts";

const BLOCK_MS = 3_000;
const SOLID_LAG = 18;
const EXPIRES_AFTER_MS = 60_000;
const PAYER = `41${"11".repeat(20)}`;

/** The fate of a transaction when its block is replaced. `redirected`: it pays another known address. */
export type Fate = "kept" | "moved" | "failed" | "dropped" | "redirected";

/** A chain in memory that forks on command, never below the solid block. Its blocks look as nodes return them. */
export type ForkChain = {
  readonly reader: ChainReader;
  /** pays with the next block */
  pay(address: string, units: bigint): void;
  /** includes any transaction with the next block */
  include(transaction: ChainTransaction): void;
  mine(blocks: number): void;
  /** replaces up to `depth` unsolid blocks by one more; transactions get the fates in turn */
  fork(depth: number, fates: readonly Fate[]): void;
  /** only this many witnesses make blocks from now on */
  leaveTurnsTo(count: number): void;
  /** replaces the next witnesses in turn */
  changeWitnesses(count: number): void;
  /** queues all transactions that forks dropped for the next block */
  rebroadcast(): void;
  /** returns to the branch that the last fork left, if it is not solid yet, and makes it the longer one */
  flipBack(): void;
  /** the transfers of the current chain */
  transfers(): { txId: string; toHex: string; units: bigint; blockId: string; blockNumber: number }[];
};

export function createForkChain(startMs: number): ForkChain {
  let blocks: Block[] = [];
  let left: Block[] = [];
  let waiting: ChainTransaction[] = [];
  let dropped: ChainTransaction[] = [];
  let serial = 0;
  const payees: string[] = [];
  const turns = someWitnesses().map(({ address }) => address);
  let active = turns.length;
  let place = 0;

  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const solidNumber = () => Math.max(0, blocks.length - 1 - SOLID_LAG);

  function append(transactions: ChainTransaction[]): void {
    const number = blocks.length;
    const parentId = blocks.at(-1)?.header.id ?? "0".repeat(64);
    serial += 1;
    const id = number.toString(16).padStart(16, "0") + hash(`${serial} ${parentId}`).slice(16);
    const timeMs = startMs + number * BLOCK_MS;
    const witnessHex = turns[number % active];
    blocks.push({ header: aHeader({ number, id, parentId, timeMs, witnessHex }), transactions });
  }

  function mine(count: number): void {
    for (let mined = 0; mined < count; mined += 1) {
      append(waiting);
      waiting = [];
    }
  }

  function fork(depth: number, fates: readonly Fate[]): void {
    const count = Math.min(depth, blocks.length - 1 - solidNumber());
    if (count < 1) return;
    left = blocks;
    const replaced = blocks.slice(-count);
    blocks = blocks.slice(0, -count);
    let moved: ChainTransaction[] = [];
    let place = 0;
    for (const { transactions } of replaced) {
      const included = moved;
      moved = [];
      for (const transaction of transactions) {
        const fate = fates[place % Math.max(1, fates.length)] ?? "kept";
        place += 1;
        if (fate === "kept") included.push(transaction);
        if (fate === "failed") included.push({ ...transaction, contractRet: "TRANSFER_FAILED" });
        if (fate === "moved") moved.push(transaction);
        if (fate === "dropped") dropped.push(transaction);
        if (fate === "redirected") included.push(redirect(transaction));
      }
      append(included);
    }
    append(moved);
  }

  function redirect(transaction: ChainTransaction): ChainTransaction {
    const { contract } = transaction;
    if (contract.kind !== "transfer") return transaction;
    const toHex = payees[(payees.indexOf(contract.toHex) + 1) % payees.length] ?? contract.toHex;
    return { ...transaction, contract: { ...contract, toHex } };
  }

  function flipBack(): void {
    const common = left.findIndex((block, number) => blocks[number]?.header.id !== block.header.id);
    if (left.length === 0 || common <= solidNumber()) return;
    const present = blocks;
    blocks = left;
    left = present;
    mine(Math.max(1, present.length - blocks.length + 1));
  }

  function changeWitnesses(count: number): void {
    for (let changed = 0; changed < count; changed += 1) {
      serial += 1;
      place = (place + 1) % turns.length;
      turns[place] = keyPairFromPhrase(`elected witness ${serial} of a test`).address;
    }
  }

  const at = (number: number) => blocks[number];
  const unused = () => Promise.reject(new Error("not requested"));
  const newest = (block: Block | undefined) => {
    if (block === undefined) throw new Error("the chain is empty");
    return block;
  };
  append([]);
  return {
    reader: {
      getHeadBlock: async () => newest(blocks.at(-1)).header,
      getBlock: async (number) => at(number),
      getBlockById: async (id) => blocks.find((block) => block.header.id === id),
      getTransactionInfos: unused,
      getSolidBlock: async () => newest(at(solidNumber())).header,
      getGenesisId: async () => newest(at(0)).header.id,
      getTokenDecimals: unused,
      fetchCompleteBlock: async (number) => {
        const { header, transactions } = newest(at(number));
        return { header, transactions, infos: [] };
      },
    },
    pay: (address, units) => {
      serial += 1;
      const toHex = addressToHex(address);
      if (!payees.includes(toHex)) payees.push(toHex);
      waiting.push({
        txId: hash(`transaction ${serial}`),
        contractRet: "SUCCESS",
        expirationMs: startMs + blocks.length * BLOCK_MS + EXPIRES_AFTER_MS,
        contract: {
          kind: "transfer",
          fromHex: PAYER,
          toHex,
          units: amountIn("TRX", units),
        },
      });
    },
    include: (transaction) => {
      waiting.push(transaction);
    },
    mine,
    fork,
    leaveTurnsTo: (count) => {
      active = count;
    },
    changeWitnesses,
    rebroadcast: () => {
      waiting.push(...dropped);
      dropped = [];
    },
    flipBack,
    transfers: () =>
      blocks.flatMap(({ header, transactions }) =>
        transactions.flatMap(({ txId, contractRet, contract }) =>
          contractRet === "SUCCESS" && contract.kind === "transfer"
            ? [
                {
                  txId,
                  toHex: contract.toHex,
                  units: contract.units,
                  blockId: header.id,
                  blockNumber: header.number,
                },
              ]
            : [],
        ),
      ),
  };
}
