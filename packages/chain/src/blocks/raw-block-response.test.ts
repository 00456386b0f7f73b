import { blockAnswer, transactionAnswer } from "@daric/testing/block-answer";
import { vectorBlocks, vectorInfos } from "@daric/testing/recordings";
import { usdtAt } from "@daric/testing/usdt";
import { TRANSFER_TOPIC } from "@daric/tron/abi";
import { hashesIn } from "@daric/tron/packed-addresses";
import { describe, expect, it } from "vitest";
import { lazyBlockOf } from "./lazy-block.ts";
import { parseBlock } from "./parse-block.ts";
import { parseTransactionInfos } from "./parse-transaction-info.ts";
import { decodeContents, type RawBlockResponse, validateBlock } from "./raw-block-response.ts";
import { requireComplete } from "./require-complete.ts";

const [payer, payee] = [`41${"11".repeat(20)}`, `41${"22".repeat(20)}`];
const usdtContractHex = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const tokens = usdtAt(usdtContractHex);
const recorded = vectorBlocks().map((block, index) => ({ block, infos: vectorInfos()[index] ?? [] }));
const paying = recorded.filter(({ block }) => (block.transactions ?? []).length > 0);

const answersOf = ({ block, infos }: { block: unknown; infos: unknown }): RawBlockResponse => ({
  block: new TextEncoder().encode(JSON.stringify(block)),
  infos: new TextEncoder().encode(JSON.stringify(infos)),
  tokens,
});

describe("the raw answers for a complete block", () => {
  it("give the same summary and contents as a block read on the main thread", () => {
    expect(paying.length).toBeGreaterThan(0);
    for (const paid of paying) {
      const block = parseBlock(paid.block) ?? expect.fail();
      const infos = parseTransactionInfos(paid.infos);
      const inParts = lazyBlockOf(requireComplete("node", { block, infos, tokens }), tokens);
      const { answers, summary } = validateBlock(answersOf(paid));
      expect(summary).toEqual(inParts.summary);
      expect(decodeContents(answers).decoded).toEqual(inParts.decode().decoded);
    }
  });

  it("name every address that pays, receives or signs", () => {
    for (const paid of paying) {
      const { summary, answers } = validateBlock(answersOf(paid));
      const involved = hashesIn(Buffer.from(summary?.involved ?? [])).map(
        (hash) => `41${hash.toString("hex")}`,
      );
      const { transfers, sentTransactions, callValues, unsupported } = decodeContents(answers).decoded;
      const named = [
        ...[...transfers, ...unsupported].map(({ toHex }) => toHex),
        ...[...transfers, ...callValues].map(({ fromHex }) => fromHex),
        ...sentTransactions.map(({ owner }) => owner.addressHex),
      ];
      expect(new Set(involved)).toEqual(new Set(named));
    }
  });
});

it("the summary includes anomalies, unsupported types and runs", () => {
  const call = { type: "TriggerSmartContract", from: payer, contract: payee, data: "" } as const;
  const transaction = transactionAnswer(call);
  const timeMs = 1_735_689_600_000;
  const info = {
    id: transaction.txID,
    blockNumber: 5,
    blockTimeStamp: timeMs,
    receipt: { result: "SUCCESS" },
    log: [{ address: usdtContractHex.slice(2), topics: [TRANSFER_TOPIC], data: "00" }],
    internal_transactions: [
      { caller_address: payer, transferTo_address: payee, note: "63616c6c", callValueInfo: [{}] },
    ],
  };
  const block = blockAnswer({ number: 5, timeMs, transactions: [transaction] });
  const { summary } = validateBlock(answersOf({ block, infos: [info] }));
  expect(summary?.anomalies).toMatchObject([{ kind: "malformed_log", txId: transaction.txID }]);
  expect(summary).toMatchObject({
    transactionCount: 1,
    contractCalls: 1,
    internals: 1,
    unparsed: 0,
  });
});

it("infos that the block does not need are not read", () => {
  const transactions = [transactionAnswer({ type: "TransferContract", from: payer, to: payee, amount: 5n })];
  const block = blockAnswer({ number: 5, timeMs: 1_735_689_600_000, transactions });
  const outlines = [[], [{ id: "another" }], { Error: "no" }].map(
    (infos) => validateBlock(answersOf({ block, infos })).summary,
  );
  expect(outlines[0]?.transactionCount).toBe(1);
  expect(outlines).toEqual([outlines[0], outlines[0], outlines[0]]);
});

it.each<[string, (one: (typeof recorded)[number]) => { block: unknown; infos: unknown }]>([
  ["another verdict", ({ block, infos }) => ({ block: withVerdict(block, "REVERT"), infos })],
  [
    "a missing transaction",
    ({ block, infos }) => ({
      block: { ...block, transactions: block.transactions?.slice(1) },
      infos: infos.slice(1),
    }),
  ],
  ["a missing info", ({ block, infos }) => ({ block, infos: infos.slice(1) })],
  ["no infos", ({ block }) => ({ block, infos: [] })],
  ["no block", ({ infos }) => ({ block: {}, infos })],
  ["an error for the infos", ({ block }) => ({ block, infos: { Error: "no" } })],
])("answers with %s are refused", (_, change) => {
  for (const paid of paying) expect(validateBlock(answersOf(change(paid))).summary).toBeUndefined();
});

it("answers that are no JSON or no text are refused", () => {
  const [one] = paying;
  const honest = answersOf(one ?? expect.fail());
  for (const infos of [
    new Uint8Array(),
    new Uint8Array([0xff, 0xfe]),
    new TextEncoder().encode("lite fullnode"),
  ])
    expect(validateBlock({ ...honest, infos }).summary).toBeUndefined();
});

function withVerdict(block: (typeof recorded)[number]["block"], contractRet: string) {
  return { ...block, transactions: block.transactions?.map((paid) => ({ ...paid, ret: [{ contractRet }] })) };
}
