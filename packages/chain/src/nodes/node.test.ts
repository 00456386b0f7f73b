import { createHash } from "node:crypto";
import { isNight } from "@daric/testing/at-night";
import {
  blockAnswer,
  idOfHeight,
  type TransactionAnswer,
  transactionAnswer,
} from "@daric/testing/block-answer";
import { usdtAt } from "@daric/testing/usdt";
import { addressWord, uintWord } from "@daric/tron/abi";
import { transactionFromRaw } from "@daric/tron/transaction";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTransfers } from "../blocks/decode-transfers.ts";
import { IncompleteBlockError, NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { HttpJson } from "./http-json.ts";
import { HttpTronNode } from "./node.ts";

type Json = ReturnType<typeof JSON.parse>;

const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NUMBER = 1_000;
const TIME_MS = 1_735_689_600_000;
const payer = `41${"11".repeat(20)}`;
const payee = `41${"22".repeat(20)}`;

const idOfNone = "9".repeat(64);

const made = new Map<string, TransactionAnswer>();

/** Made once, because it is used in hundreds of blocks; each use gets its own copy. */
function transaction(seed: number, type: string): TransactionAnswer {
  const key = `${type} ${seed}`;
  const known = made.get(key) ?? makeTransaction(seed, type);
  made.set(key, known);
  return structuredClone(known);
}

function makeTransaction(seed: number, type: string): TransactionAnswer {
  const sent = { expirationMs: TIME_MS + 60_000, timestampMs: seed };
  if (type === "TransferContract") {
    return transactionAnswer({ type, from: payer, to: payee, amount: 1_000n + BigInt(seed) }, sent);
  }
  if (type !== "TriggerSmartContract") return transactionAnswer({ type, from: payer }, sent);
  const data = `a9059cbb${addressWord(payee)}${uintWord(5_000n + BigInt(seed))}`;
  return transactionAnswer({ type, from: payer, contract: USDT, data }, sent);
}

function info({ txID }: TransactionAnswer, type: string, seed: number): Json {
  const common = { id: txID, blockNumber: NUMBER, blockTimeStamp: TIME_MS, contractResult: [""] };
  if (type !== "TriggerSmartContract") return { ...common, receipt: { net_usage: 268 } };
  const topics = [TRANSFER, addressWord(payer), addressWord(payee)];
  const log = [{ address: USDT.slice(2), topics, data: uintWord(5_000n + BigInt(seed)) }];
  return { ...common, receipt: { result: "SUCCESS" }, log };
}

/** An honest node's answers for a block with these contract types. */
function honest(types: readonly string[]): { block: Json; infos: Json } {
  const transactions = types.map((type, index) => transaction(index + 1, type));
  return {
    block: blockAnswer({ number: NUMBER, timeMs: TIME_MS, transactions }),
    infos: transactions.map((entry, index) => info(entry, types[index] ?? "", index + 1)),
  };
}

/** The transfers in that block. */
function moneyOf(types: readonly string[]): Json[] {
  return types.flatMap((type, index) => {
    const { txID: txId } = transaction(index + 1, type);
    const common = { txId, eventIndex: 0, fromHex: payer, toHex: payee, isMerkleProven: true };
    const expiring = { ...common, txExpirationMs: TIME_MS + 60_000 };
    const native = { ...expiring, source: "transfer", currency: "TRX", units: BigInt(1_001 + index) };
    const token = {
      ...expiring,
      source: "log",
      currency: "USDT",
      contractHex: USDT,
      units: BigInt(5_001 + index),
    };
    if (type === "TransferContract") return [native];
    return type === "TriggerSmartContract" ? [token] : [];
  });
}

/** A node with one answer for each path. */
function nodeAnswering(
  answers: Record<string, unknown>,
  { genesisId, latestTimeMs }: { genesisId?: string; latestTimeMs?: () => number } = {},
): HttpTronNode {
  const http: HttpJson = {
    label: "node.test",
    get: () => Promise.reject(new Error("not used")),
    post: async (path) => structuredClone(answers[path] ?? {}),
    close: async () => {},
  };
  return new HttpTronNode({ http, solidityHttp: http, genesisId, latestTimeMs, tokens: usdtAt(USDT) });
}

const nodeReporting = (block: unknown, infos: unknown, options: { latestTimeMs?: () => number } = {}) =>
  nodeAnswering({ "/wallet/getblock": block, "/wallet/gettransactioninfobyblocknum": infos }, options);

const contractTypes = fc.array(
  fc.constantFrom("TransferContract", "TriggerSmartContract", "VoteWitnessContract"),
  {
    maxLength: 12,
  },
);

/** Lies that the parts of an answer reveal. Each gets the honest answers and a random number. */
const lies: Record<
  string,
  (reported: { block: Json; infos: Json }, at: number) => { block: Json; infos: Json }
> = {
  "answers {} for the block": ({ infos }) => ({ block: {}, infos }),
  "answers [] for the block": ({ infos }) => ({ block: [], infos }),
  "answers null for the block": ({ infos }) => ({ block: null, infos }),
  "answers [] for the infos": ({ block }) => ({ block, infos: [] }),
  "answers {} for the infos": ({ block }) => ({ block, infos: {} }),
  "answers null for an info": ({ block, infos }, at) => ({
    block,
    infos: infos.with(at % infos.length, null),
  }),
  "leaves out an info": ({ block, infos }, at) => ({ block, infos: infos.toSpliced(at % infos.length, 1) }),
  "repeats an info": ({ block, infos }, at) => ({ block, infos: [...infos, infos[at % infos.length]] }),
  "swaps two infos": ({ block, infos }, at) => {
    const first = infos[at % infos.length];
    const second = infos[(at + 1) % infos.length];
    if (first === second) return { block, infos: [] };
    return {
      block,
      infos: infos.with(at % infos.length, second).with((at + 1) % infos.length, first),
    };
  },
  "gives an info of another transaction": ({ block, infos }, at) => ({
    block,
    infos: infos.with(at % infos.length, { ...infos[at % infos.length], id: idOfNone }),
  }),
  "gives an info of another height": ({ block, infos }, at) => ({
    block,
    infos: infos.with(at % infos.length, { ...infos[at % infos.length], blockNumber: NUMBER + 1 }),
  }),
  "gives the infos of the fork's block at this height": ({ block, infos }) => ({
    block,
    infos: infos.map((entry: Json) => ({ ...entry, blockTimeStamp: TIME_MS + 3_000 })),
  }),
  "gives another verdict in the infos than in the block": ({ block, infos }) => ({
    block,
    infos: infos.map((entry: Json) =>
      entry.receipt.result === undefined ? entry : { ...entry, receipt: { result: "OUT_OF_TIME" } },
    ),
  }),
  "leaves out a transaction": ({ block, infos }, at) => ({
    block: { ...block, transactions: block.transactions.toSpliced(at % infos.length, 1) },
    infos,
  }),
  "leaves out all transactions": ({ block: { transactions: _hidden, ...block }, infos }) => ({
    block,
    infos,
  }),
  "answers no transactions": ({ block, infos }) => ({
    block: { ...block, transactions: [] },
    infos,
  }),
  "gives transactions of an empty block": ({ block, infos }) => ({
    block: withHeader(block, { txTrieRoot: "0".repeat(64) }),
    infos,
  }),
  "leaves out all transactions but one": ({ block, infos }) => ({
    block: { ...block, transactions: [transaction(77, "TriggerSmartContract")] },
    infos,
  }),
  "repeats a transaction": ({ block, infos }, at) => ({
    block: { ...block, transactions: [...block.transactions, block.transactions[at % infos.length]] },
    infos: [...infos, infos[at % infos.length]],
  }),
  "gives the next block": ({ block: { transactions }, infos }) => ({
    block: blockAnswer({ number: NUMBER + 1, timeMs: TIME_MS, transactions }),
    infos,
  }),
  "gives the next block under this number": ({ block, infos }) => ({
    block: { ...block, blockID: idOfHeight(NUMBER + 1) },
    infos,
  }),
  "gives a parent of another height": ({ block: { transactions }, infos }) => ({
    block: blockAnswer({ number: NUMBER, timeMs: TIME_MS, transactions, parentId: idOfHeight(NUMBER) }),
    infos,
  }),
  "gives a block without a time": ({ block: { transactions }, infos }) => ({
    block: blockAnswer({ number: NUMBER, timeMs: 0, transactions }),
    infos,
  }),
  "gives a time beyond all dates": ({ block: { transactions }, infos }) => ({
    block: blockAnswer({ number: NUMBER, timeMs: 2 ** 53 - 1, transactions }),
    infos,
  }),
  "leaves out a verdict": ({ block, infos }, at) => ({
    block: withTransaction(block, at, ({ ret: _hidden, ...one }) => one),
    infos,
  }),
  "leaves out all verdicts, in block and infos": ({ block, infos }) => ({
    block: { ...block, transactions: block.transactions.map((entry: Json) => ({ ...entry, ret: [{}] })) },
    infos: infos.map((entry: Json) => ({ ...entry, receipt: {} })),
  }),
  "gives a malformed verdict": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, ret: [{ contractRet: "" }] })),
    infos,
  }),
  "gives FAILED in the info of a success": ({ block, infos }) => ({
    block,
    infos: infos.map((entry: Json) => ({ ...entry, result: "FAILED" })),
  }),
  "gives all runs another type": ({ block, infos }) => ({
    block: {
      ...block,
      transactions: block.transactions.map((entry: Json, index: number) =>
        withBytesOf(entry, transaction(index + 1, "VoteWitnessContract")),
      ),
    },
    infos,
  }),
  "gives a transaction the bytes of another": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => withBytesOf(entry, transaction(77, "TransferContract"))),
    infos,
  }),
  "gives no bytes": ({ block, infos }, at) => ({
    block: withTransaction(block, at, ({ raw_data_hex: _hidden, ...one }) => one),
    infos,
  }),
  "leaves out a transaction and its info": ({ block, infos }, at) => ({
    block: { ...block, transactions: block.transactions.toSpliced(at % infos.length, 1) },
    infos: infos.toSpliced(at % infos.length, 1),
  }),
  "invents a transaction": ({ block, infos }) => ({
    block: { ...block, transactions: [...block.transactions, transaction(77, "TransferContract")] },
    infos: [...infos, info(transaction(77, "TransferContract"), "TransferContract", 77)],
  }),
  "invents a transaction in place of another": ({ block, infos }, at) => ({
    block: withTransaction(block, at, () => transaction(77, "TriggerSmartContract")),
    infos: infos.with(
      at % infos.length,
      info(transaction(77, "TriggerSmartContract"), "TriggerSmartContract", 77),
    ),
  }),
  "swaps two transactions and their infos": ({ block, infos }) => ({
    block: {
      ...block,
      transactions: block.transactions.with(0, block.transactions.at(-1)).with(-1, block.transactions[0]),
    },
    infos: infos.with(0, infos.at(-1)).with(-1, infos[0]),
  }),
  "gives a success as a failure in block and infos": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, ret: [{ contractRet: "REVERT" }] })),
    infos: infos.with(at % infos.length, {
      ...infos[at % infos.length],
      ...(infos[at % infos.length].receipt.result && { receipt: { result: "REVERT" } }),
    }),
  }),
  "gives an unknown verdict": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, ret: [{ contractRet: "SOMEHOW" }] })),
    infos: infos.map((entry: Json) =>
      entry.receipt.result === undefined ? entry : { ...entry, receipt: { result: "SOMEHOW" } },
    ),
  }),
  "gives an extra result": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, ret: [...entry.ret, { fee: 1 }] })),
    infos,
  }),
  "gives a result with a fee": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, ret: [{ ...entry.ret[0], fee: 1 }] })),
    infos,
  }),
  "leaves out a signature": ({ block, infos }, at) => ({
    block: withTransaction(block, at, ({ signature: _hidden, ...one }) => one),
    infos,
  }),
  "gives another signature": ({ block, infos }, at) => ({
    block: withTransaction(block, at, (entry) => ({ ...entry, signature: ["ab".repeat(65)] })),
    infos,
  }),
  "gives a transfer the info of a run": ({ block: { transactions }, infos }) => ({
    block: blockAnswer({
      number: NUMBER,
      timeMs: TIME_MS,
      transactions: [transaction(77, "TransferContract"), ...transactions],
    }),
    infos: [
      { ...info(transaction(77, "TransferContract"), "", 77), receipt: { result: "SUCCESS" } },
      ...infos,
    ],
  }),
  "hides the logs of a payment": ({ block, infos }) => ({
    block,
    infos: infos.map(({ log: _hidden, ...one }: Json) => one),
  }),
  "gives another payer in the log of a payment": ({ block, infos }) => ({
    block,
    infos: withLogs(infos, (log) => [{ ...log, topics: log.topics.with(1, addressWord(payee)) }]),
  }),
  "gives another amount in the log of a payment": ({ block, infos }) => ({
    block,
    infos: withLogs(infos, (log) => [{ ...log, data: uintWord(10n ** 12n) }]),
  }),
  "gives an extra log of a payment": ({ block, infos }) => ({
    block,
    infos: withLogs(infos, (log) => [log, { ...log, data: uintWord(1n) }]),
  }),
  "gives no block id": ({ block: { blockID: _hidden, ...block }, infos }) => ({ block, infos }),
  "gives a negative time": ({ block, infos }) => ({
    block: withHeader(block, { timestamp: -TIME_MS }),
    infos,
  }),
  "gives a time as text": ({ block, infos }) => ({
    block: withHeader(block, { timestamp: `${TIME_MS}` }),
    infos,
  }),
  "gives transactions as an object": ({ block, infos }) => ({
    block: { ...block, transactions: {} },
    infos,
  }),
};

function withHeader(block: Json, change: object): Json {
  return { ...block, block_header: { raw_data: { ...block.block_header.raw_data, ...change } } };
}

function withTransaction(block: Json, at: number, change: (transaction: Json) => Json): Json {
  const index = at % block.transactions.length;
  return { ...block, transactions: block.transactions.with(index, change(block.transactions[index])) };
}

function withBytesOf(one: Json, { raw_data, raw_data_hex }: TransactionAnswer): Json {
  return { ...one, raw_data, raw_data_hex };
}

function withLogs(infos: Json[], change: (log: Json) => Json[]): Json[] {
  return infos.map((entry) =>
    entry.log === undefined ? entry : { ...entry, log: entry.log.flatMap(change) },
  );
}

describe("a complete block", () => {
  it("is an honest node's block, with every transfer in it", async () => {
    await fc.assert(
      fc.asyncProperty(contractTypes, async (types) => {
        const { block, infos } = honest(types);
        const complete = await nodeReporting(block, infos).fetchCompleteBlock(NUMBER);
        expect(complete.header).toMatchObject({
          number: NUMBER,
          id: block.blockID,
          parentId: idOfHeight(NUMBER - 1),
          timeMs: TIME_MS,
        });
        expect(decodeTransfers(complete, usdtAt(USDT)).transfers).toMatchObject(moneyOf(types));
      }),
    );
  });

  it.each(Object.entries(lies))("never comes from a node that %s", async (_name, lie) => {
    await fc.assert(
      fc.asyncProperty(contractTypes, fc.nat(11), async (others, at) => {
        const types = [
          ...others.slice(0, at),
          "TriggerSmartContract",
          ...others.slice(at),
          "TriggerSmartContract",
        ];
        const reported = lie(honest(types), at);
        const fetching = nodeReporting(reported.block, reported.infos).fetchCompleteBlock(NUMBER);
        await expect(fetching).rejects.toSatisfy((error) => error instanceof NodeError && error.retryable);
      }),
      { numRuns: 30 },
    );
  });

  it("has exactly the honest transfers or is refused, for garbage in any single part of the answers", async () => {
    const types = ["TransferContract", "TriggerSmartContract", "VoteWitnessContract"];
    for (const garbage of [null, undefined, {}, [], "", "x", 0, -1, 1.5, 2 ** 60, true]) {
      for (let place = 0; place < placesIn(honest(types)).length; place += 1) {
        await expectHonestTransfersOrRefusal(types, { place, garbage });
      }
    }
    const anything = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.bigInt(), fc.constant({ a: [] }));
    await fc.assert(
      fc.asyncProperty(contractTypes, fc.nat(), anything, async (others, place, garbage) => {
        await expectHonestTransfersOrRefusal([...others, "TriggerSmartContract"], { place, garbage });
      }),
      // Above, garbage is everywhere in turn; here other blocks are drawn, and other ones with each commit.
      { numRuns: isNight ? 300 : 50 },
    );
  }, 30_000);

  it("is reported as missing, not as wrong, if the node does not have it", async () => {
    const fetching = nodeReporting({}, []).fetchCompleteBlock(NUMBER);
    await expect(fetching).rejects.toMatchObject({
      blockNumber: NUMBER,
      reason: undefined,
      fault: "incomplete_block",
    });
    await expect(fetching).rejects.toBeInstanceOf(IncompleteBlockError);
  });

  it("needs no infos if nothing ran in the virtual machine", async () => {
    const { block } = honest(["TransferContract", "VoteWitnessContract"]);
    const complete = await nodeReporting(block, { Error: "must not be asked" }).fetchCompleteBlock(NUMBER);
    expect(complete.infos).toEqual([]);
    const { transactions: _none, ...empty } = honest([]).block;
    await expect(nodeReporting(empty, []).fetchCompleteBlock(NUMBER)).resolves.toMatchObject({
      transactions: [],
    });
  });

  it("names the transaction whose id or logs are wrong", async () => {
    const { block, infos } = honest(["TransferContract", "TriggerSmartContract"]);
    const [first, second] = block.transactions;
    const other = withTransaction(block, 0, (entry) =>
      withBytesOf(entry, transaction(77, "TransferContract")),
    );
    await expect(nodeReporting(other, infos).fetchCompleteBlock(NUMBER)).rejects.toMatchObject({
      fault: "incomplete_block",
      reason: `transaction ${first.txID} has the bytes of ${transaction(77, "TransferContract").txID}`,
    });
    const silent = infos.map(({ log: _hidden, ...one }: Json) => one);
    await expect(nodeReporting(block, silent).fetchCompleteBlock(NUMBER)).rejects.toMatchObject({
      fault: "incomplete_block",
      reason: `the info of transaction ${second.txID} says that its payer sent 0 units where the call says 5002`,
    });
  });

  it("may have a transaction of unknown type, whose info shows whether it ran", async () => {
    const type = "NewestContract";
    const later = { ...transactionAnswer({ type: "AccountCreateContract", from: payer }) };
    const raw_data_hex = rawOfType(100);
    const txID = createHash("sha256").update(Buffer.from(raw_data_hex, "hex")).digest("hex");
    const one = { ...later, raw_data_hex, txID };
    const block = blockAnswer({ number: NUMBER, timeMs: TIME_MS, transactions: [one] });
    const quiet = info(one, type, 1);
    const still = await nodeReporting(block, [quiet]).fetchCompleteBlock(NUMBER);
    expect(decodeTransfers(still, usdtAt(USDT))).toMatchObject({
      unparsed: 1,
      transfers: [],
      contractCalls: 0,
    });
    const ran = info(one, "TriggerSmartContract", 1);
    const complete = await nodeReporting(block, [ran]).fetchCompleteBlock(NUMBER);
    expect(decodeTransfers(complete, usdtAt(USDT))).toMatchObject({
      unparsed: 1,
      transfers: [{ units: 5_001n }],
    });
    const reverted = { ...ran, receipt: { result: "REVERT" } };
    for (const reported of [[], [reverted]]) {
      await expect(nodeReporting(block, reported).fetchCompleteBlock(NUMBER)).rejects.toThrow(
        IncompleteBlockError,
      );
    }
  });

  it("has a number of at least 1", async () => {
    for (const number of [0, -1, 1.5, Number.NaN]) {
      await expect(nodeReporting({}, []).fetchCompleteBlock(number)).rejects.toThrow(RangeError);
    }
  });
});

type Garbling = { place: number; garbage: unknown };

async function expectHonestTransfersOrRefusal(
  types: readonly string[],
  { place, garbage }: Garbling,
): Promise<void> {
  const reported = honest(types);
  const places = placesIn(reported);
  const { holder, key, path } = places[place % places.length] ?? { holder: reported, key: "block", path: "" };
  holder[key] = garbage;
  try {
    const complete = await nodeReporting(reported.block, reported.infos).fetchCompleteBlock(NUMBER);
    const { transfers } = decodeTransfers(complete, usdtAt(USDT));
    expect(transfers, `${path} = ${String(garbage)}`).toEqual(moneyOf(types));
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    expect(error.retryable).toBe(true);
  }
}

/** Every value in the answers, by path. */
function placesIn(reported: { block: Json; infos: Json }): { holder: Json; key: string; path: string }[] {
  const visit = (holder: Json, above: string): { holder: Json; key: string; path: string }[] =>
    typeof holder !== "object" || holder === null
      ? []
      : Object.keys(holder).flatMap((key) => {
          const path = `${above}.${key}`;
          return [{ holder, key, path }, ...visit(holder[key], path)];
        });
  return visit(reported, "");
}

/** raw_data with one contract of this type number. */
function rawOfType(type: number): string {
  const contract = { type, permissionId: 0, value: { kind: "opaque", value: "" } } as const;
  const raw = { refBlockBytes: "", refBlockHash: "", expiration: 0n, data: "", timestamp: 0n, feeLimit: 0n };
  return transactionFromRaw({ ...raw, contracts: [contract] }).rawHex;
}

describe("a block's contents", () => {
  it.each<[string, (transaction: Json) => void]>([
    ["a transaction id of another length", (entry) => (entry.txID = "ab")],
    ["a transaction id in upper case", (entry) => (entry.txID = "AB".repeat(32))],
    ["bytes in upper case", (entry) => (entry.raw_data_hex = entry.raw_data_hex.toUpperCase())],
    ["half a byte", (entry) => (entry.raw_data_hex += "0")],
    ["bytes that are no transaction", (entry) => (entry.raw_data_hex = "ff")],
    ["an invalid signature", (entry) => (entry.signature = ["xy"])],
    ["an invalid result", (entry) => (entry.ret = [[]])],
  ])("are refused with %s", async (_name, change) => {
    const { block } = honest(["TransferContract"]);
    change(block.transactions[0]);
    const fetching = nodeReporting(block, []).fetchCompleteBlock(NUMBER);
    await expect(fetching).rejects.toMatchObject({ retryable: true, node: "node.test" });
  });

  it("are read from the bytes, whatever the JSON beside them", async () => {
    const { block, infos } = honest(["TransferContract", "TriggerSmartContract"]);
    for (const entry of block.transactions) {
      entry.raw_data = { expiration: 1, contract: [{ type: "VoteWitnessContract" }, { type: "Nonsense" }] };
    }
    const complete = await nodeReporting(block, infos).fetchCompleteBlock(NUMBER);
    const types = ["TransferContract", "TriggerSmartContract"];
    expect(decodeTransfers(complete, usdtAt(USDT)).transfers).toEqual(moneyOf(types));
  });
});

describe("the time of a block", () => {
  const { block, infos } = honest(["TransferContract", "TriggerSmartContract"]);
  const parentId = idOfHeight(NUMBER - 1);

  it("is after its parent's, or the block is incomplete", async () => {
    const node = nodeReporting(block, infos);
    for (const timeMs of [TIME_MS, TIME_MS + 1, TIME_MS + 3_000]) {
      const fetching = node.fetchCompleteBlock(NUMBER, { id: parentId, timeMs });
      await expect(fetching).rejects.toMatchObject({
        fault: "incomplete_block",
        reason: "its time is not after its parent's",
        retryable: true,
      });
    }
    await expect(
      node.fetchCompleteBlock(NUMBER, { id: parentId, timeMs: TIME_MS - 1 }),
    ).resolves.toBeDefined();
  });

  it("is not compared with a block that is not its parent, after a fork", async () => {
    const other = { id: idOfHeight(NUMBER - 1, "b".repeat(48)), timeMs: TIME_MS + 3_000 };
    await expect(nodeReporting(block, infos).fetchCompleteBlock(NUMBER, other)).resolves.toBeDefined();
  });

  it("is waited for if our clock is behind it, and the error names our clock", async () => {
    let latestMs = TIME_MS - 240_000;
    const node = nodeReporting(block, infos, { latestTimeMs: () => latestMs });
    const failure = await node.fetchCompleteBlock(NUMBER).catch((error: unknown) => error);
    expect(failure).toMatchObject({ fault: "ahead_of_clock", retryable: true, retryAfterMs: undefined });
    expect((failure as Error).message).toBe(
      "node.test: block 1000 is dated 2025-01-01T00:00:00.000Z, 240 s later than this machine's clock allows: " +
        "check this machine's clock (NTP); the block is read when the clock gets there",
    );
    await expect(node.getHeadBlock()).resolves.toMatchObject({ timeMs: TIME_MS });
    latestMs = TIME_MS;
    await expect(node.fetchCompleteBlock(NUMBER)).resolves.toBeDefined();
  });
});

describe("solid blocks", () => {
  const { block } = honest([]);

  /** A node whose solidity URL answers, or fails like this. */
  function nodeFailing(failure: { current: NodeError | undefined }): HttpTronNode {
    const answering = (post: HttpJson["post"]): HttpJson => ({
      label: "node.test",
      get: () => Promise.reject(new Error("not used")),
      post,
      close: async () => {},
    });
    const http = answering(async () => block);
    const solidityHttp = answering(async () => {
      if (failure.current) throw failure.current;
      return block;
    });
    return new HttpTronNode({ http, solidityHttp, genesisId: undefined });
  }

  it.each(["http_status", "not_json"] as const)(
    "that are not served at their URL (%s) name the setting until they are",
    async (fault) => {
      const retryable = fault === "not_json";
      const html = new NodeError("answered HTML", { fault, node: "node.test", retryable });
      const failure: { current: NodeError | undefined } = { current: html };
      const node = nodeFailing(failure);
      expect(node.solidityFault).toBeUndefined();
      await expect(node.getSolidBlock()).rejects.toMatchObject({ fault: "no_solidity", retryable });
      expect(node.solidityFault).toMatch(/TRON_SOLIDITY_URLS .*8091/);
      await expect(node.getHeadBlock()).resolves.toBeDefined();
      expect(node.solidityFault).toBeDefined();
      failure.current = undefined;
      await node.getSolidBlock();
      expect(node.solidityFault).toBeUndefined();
    },
  );

  it("that are unavailable for a moment do not blame the settings", async () => {
    for (const fault of ["unreachable", "timeout", "rate_limited", "http_status"] as const) {
      const node = nodeFailing({ current: new NodeError("later", { fault, node: "node.test" }) });
      await expect(node.getSolidBlock()).rejects.toMatchObject({ fault });
      expect(node.solidityFault).toBeUndefined();
    }
  });
});

describe("single answers", () => {
  const { block, infos } = honest(["TriggerSmartContract"]);

  it("a block of another number or id is refused", async () => {
    const node = nodeReporting(block, infos);
    await expect(node.getBlock(NUMBER + 1)).rejects.toThrow("answered block 1000 instead of 1001");
    await expect(node.getBlockById(idOfHeight(NUMBER))).rejects.toThrow(NodeError);
    await expect(node.getBlockById(block.blockID)).resolves.toMatchObject({ header: { number: NUMBER } });
  });

  it("the signature of a header is not checked here", async () => {
    for (const witness_signature of [undefined, "", "5a".repeat(65), "no hex"]) {
      const reported = { ...block, block_header: { ...block.block_header, witness_signature } };
      await expect(nodeReporting(reported, infos).fetchCompleteBlock(NUMBER)).resolves.toMatchObject({
        header: { id: block.blockID, witnessHex: block.block_header.raw_data.witness_address },
      });
    }
  });

  it("a node without a head or a solid block is refused", async () => {
    await expect(nodeAnswering({}).getHeadBlock()).rejects.toThrow("no head block");
    await expect(nodeAnswering({}).getSolidBlock()).rejects.toThrow("no solidified block");
  });

  it("a header that does not match its id is refused by every call that reads headers", async () => {
    const lies = [{ timestamp: TIME_MS + 3_000 }, { parentHash: idOfHeight(NUMBER - 1, "b".repeat(48)) }];
    for (const lie of lies) {
      const reported = withHeader(block, lie);
      const node = nodeAnswering({ "/wallet/getblock": reported, "/walletsolidity/getblock": reported });
      for (const calling of [
        node.getHeadBlock(),
        node.getBlock(NUMBER),
        node.getBlockById(block.blockID),
        node.getSolidBlock(),
      ]) {
        await expect(calling).rejects.toMatchObject({ fault: "unexpected_answer", retryable: true });
      }
    }
  });

  it("an info may omit defaults, and nothing else", async () => {
    const reported = nodeReporting(block, [{ ...infos[0], result: "SUCESS" }, ...infos.slice(1)]);
    await expect(reported.fetchCompleteBlock(NUMBER)).resolves.toMatchObject({ header: { number: NUMBER } });
    const odd = nodeReporting(block, [{ ...infos[0], result: "MAYBE" }, ...infos.slice(1)]);
    await expect(odd.fetchCompleteBlock(NUMBER)).rejects.toThrow(NodeError);
  });

  it("logs must be lower-case hex of the right length", async () => {
    for (const change of [{ address: USDT }, { topics: ["AB".repeat(32)] }, { topics: "" }, { data: 5 }]) {
      const log = [{ ...infos[0].log[0], ...change }];
      const node = nodeReporting(block, [{ ...infos[0], log }]);
      await expect(node.fetchCompleteBlock(NUMBER)).rejects.toBeInstanceOf(NodeError);
    }
  });

  it("decimals are read from a constant call that neither failed nor was refused", async () => {
    const call = (answer: object) =>
      nodeAnswering({ "/wallet/triggerconstantcontract": answer }).getTokenDecimals(
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      );
    const ok = {
      result: { result: true },
      constant_result: ["6".padStart(64, "0")],
      transaction: { ret: [{}] },
    };
    const hex = (text: string) => Buffer.from(text).toString("hex");
    await expect(call(ok)).resolves.toBe(6);
    const absent = { code: "CONTRACT_VALIDATE_ERROR", message: hex("Smart contract is not exist.") };
    await expect(call({ result: absent })).resolves.toBeUndefined();
    const closed = { code: "CONTRACT_VALIDATE_ERROR", message: hex("this node does not support constant") };
    await expect(call({ result: closed })).rejects.toThrow("does not support constant");
    await expect(call({ ...ok, transaction: { ret: [{ ret: "FAILED" }] } })).rejects.toThrow(NodeError);
    await expect(call({ ...ok, constant_result: [] })).rejects.toThrow(NodeError);
    await expect(call({ ...ok, constant_result: ["f".repeat(64)] })).rejects.toThrow(NodeError);
    await expect(call({})).rejects.toThrow(NodeError);
  });
});

describe("the chain check", () => {
  const genesis = (id: string) => ({
    blockID: id,
    block_header: { raw_data: { txTrieRoot: "0".repeat(64), parentHash: "9".repeat(64) } },
  });
  const expected = idOfHeight(0, "c".repeat(48));
  const { block } = honest([]);

  it("lets a node of the right chain answer", async () => {
    const node = nodeAnswering(
      { "/wallet/getblockbynum": genesis(expected), "/wallet/getblock": block },
      { genesisId: expected },
    );
    await expect(node.getHeadBlock()).resolves.toMatchObject({ number: NUMBER });
    await expect(node.getGenesisId()).resolves.toBe(expected);
  });

  it("refuses every answer of a node of another chain", async () => {
    const other = genesis(idOfHeight(0, "d".repeat(48)));
    const node = nodeAnswering(
      { "/wallet/getblockbynum": other, "/wallet/getblock": block },
      { genesisId: expected },
    );
    await expect(node.getHeadBlock()).rejects.toBeInstanceOf(WrongChainError);
    await expect(node.getBlock(NUMBER)).rejects.toMatchObject({ retryable: false });
  });

  it("is repeated after a failure, and made only once after a success", async () => {
    let calls = 0;
    const http: HttpJson = {
      label: "node.test",
      get: () => Promise.reject(new Error("not used")),
      post: async (path) => {
        if (path !== "/wallet/getblockbynum") return structuredClone(block);
        calls += 1;
        if (calls === 1) throw new NodeError("late", { fault: "timeout", node: "node.test" });
        return genesis(expected);
      },
      close: async () => {},
    };
    const node = new HttpTronNode({ http, solidityHttp: http, genesisId: expected });
    await expect(node.getHeadBlock()).rejects.toMatchObject({ fault: "timeout" });
    await Promise.all([node.getHeadBlock(), node.getHeadBlock(), node.getBlock(NUMBER)]);
    await node.getHeadBlock();
    expect(calls).toBe(2);
  });
});
