import type { NodeReport } from "@daric/deposits/lookup/node-report";
import { amountIn } from "@daric/domain/money";
import { expect, it } from "vitest";
import { type ExpectedPayment, matchReport } from "./match-transaction.ts";

const HERE = `41${"aa".repeat(20)}`;
const ELSEWHERE = "41eca9bc828a3005b9a3b909f2cc5c2a54794de05f";

const expected: ExpectedPayment = {
  address: undefined,
  currency: "TRX",
  due: null,
  requiredConfirmations: 19,
};
const nothing: NodeReport = { blockNumber: 101, isRead: false, failure: undefined, toUs: [], elsewhere: [] };
const pays = (toHex: string) =>
  [{ toHex, money: { amount: amountIn("TRX", 5n), currency: "TRX" } }] as const satisfies NodeReport["toUs"];

it("a node's answer counts above our own blocks, and our own blocks count below them", () => {
  const toUs = pays(HERE);
  expect(matchReport({ ...nothing, toUs }, expected)).toEqual({
    result: "seen",
    amount: 5n,
    currency: "TRX",
    isDust: true,
    confirmations: 0,
    requiredConfirmations: 19,
  });
  expect(matchReport({ ...nothing, toUs, isRead: true }, expected)).toBeUndefined();
});

it("a failed transaction moved nothing, wherever it went", () => {
  for (const paid of [{ toUs: pays(HERE) }, { elsewhere: pays(ELSEWHERE) }])
    expect(matchReport({ ...nothing, ...paid, failure: "OUT_OF_ENERGY" }, expected)).toEqual({
      result: "failed",
    });
});

it("a payment elsewhere reveals the last four characters of its address, one without payments reveals none", () => {
  expect(matchReport({ ...nothing, elsewhere: pays(ELSEWHERE) }, expected)).toEqual({
    result: "other_address",
    addressEnd: "AeBf",
  });
  expect(matchReport(nothing, expected)).toEqual({ result: "other_address", addressEnd: null });
});
