import { expect, it } from "vitest";
import type { NodeTransaction } from "../../chain/blocks/node-transaction.ts";
import { usdtAt } from "../../chain/nodes/networks.ts";
import { amountIn } from "../../domain/money.ts";
import { type ExpectedPayment, matchNodeTransaction } from "./match-transaction.ts";

const HERE = `41${"aa".repeat(20)}`;
const ELSEWHERE = "41eca9bc828a3005b9a3b909f2cc5c2a54794de05f";
const TX_ID = "0f".repeat(32);

const expected: ExpectedPayment = {
  addressesHex: [HERE],
  currency: "TRX",
  due: null,
  tokens: usdtAt(`41${"cc".repeat(20)}`),
  headNumber: 100,
  requiredConfirmations: 19,
};

function run(
  toHex: string,
  { units = 5n, contractRet = "SUCCESS", blockNumber = 101 } = {},
): NodeTransaction {
  return {
    transaction: {
      txId: TX_ID,
      contractRet,
      expirationMs: undefined,
      contract: { kind: "transfer", fromHex: ELSEWHERE, toHex, units: amountIn("TRX", units) },
    },
    info: {
      txId: TX_ID,
      blockNumber,
      blockTimeMs: 1,
      receiptResult: undefined,
      result: undefined,
      logs: [],
      internals: [],
      internalCount: 0,
    },
  };
}

it("a node's answer counts above our own blocks, and our own blocks count below them", () => {
  expect(matchNodeTransaction(run(HERE), expected)).toEqual({
    result: "seen",
    amount: 5n,
    currency: "TRX",
    isDust: true,
    confirmations: 0,
    requiredConfirmations: 19,
  });
  expect(matchNodeTransaction(run(HERE, { blockNumber: 100 }), expected)).toBeUndefined();
});

it("a failed transaction moved nothing, wherever it went", () => {
  for (const to of [HERE, ELSEWHERE])
    expect(matchNodeTransaction(run(to, { contractRet: "OUT_OF_ENERGY" }), expected)).toEqual({
      result: "failed",
    });
});

it("a payment elsewhere reveals the last four characters of its address, one without payments reveals none", () => {
  expect(matchNodeTransaction(run(ELSEWHERE), expected)).toEqual({
    result: "other_address",
    addressEnd: "AeBf",
  });
  expect(matchNodeTransaction(run(HERE, { units: 0n }), expected)).toEqual({
    result: "other_address",
    addressEnd: null,
  });
});
