import { describe, expect, it } from "vitest";
import { encodeResults } from "./encode-results.ts";
import { AnswerError } from "./read-json.ts";

const encoded = (...ret: unknown[]) =>
  encodeResults(ret)?.map((result) => Buffer.from(result).toString("hex"));

/** The bytes are TronWeb's, except those of the last two fields, which it lacks. */
describe("the bytes of results", () => {
  const results: [object, string][] = [
    [{ contractRet: "SUCCESS" }, "1801"],
    [{ contractRet: "DEFAULT" }, ""],
    [{}, ""],
    [{ contractRet: "OUT_OF_TIME" }, "180b"],
    [{ contractRet: "INVALID_CODE" }, "180f"],
    [{ contractRet: "UNKNOWN_ENUM_VALUE_contractResult_16" }, "1810"],
    [{ contractRet: "SUCCESS", fee: 300 }, "08ac021801"],
    [{ ret: "FAILED", contractRet: "REVERT" }, "10011802"],
    [{ ret: "SUCESS", contractRet: "SUCCESS" }, "1801"],
    [{ assetIssueID: "1000001" }, "720731303030303031"],
    [{ withdraw_amount: 1, unfreeze_amount: 2 }, "7801800102"],
    [
      {
        exchange_received_amount: 1,
        exchange_inject_another_amount: 2,
        exchange_withdraw_another_amount: 3,
        exchange_id: 4,
        shielded_transaction_fee: 5,
      },
      "900101980102a00103a80104b00105",
    ],
    [{ orderId: "abcd" }, "ca0102abcd"],
    [
      {
        orderDetails: [
          { makerOrderId: "01", takerOrderId: "02", fillSellQuantity: 3, fillBuyQuantity: 4 },
          {},
        ],
      },
      "d2010a0a010112010218032004d20100",
    ],
    [{ withdraw_expire_amount: 9_007_199_254_740_993n }, "d8018180808080808010"],
    [
      { cancel_unfreezeV2_amount: [{ key: "ENERGY", value: 5 }, { key: "BANDWIDTH" }] },
      "e2010a0a06454e455247591005e2010d0a0942414e4457494454481000",
    ],
  ];
  it("are the fields in ascending order, without defaults", () => {
    for (const [result, bytes] of results) expect(encoded(result)).toEqual([bytes]);
  });

  it("are one message per result, and none without results", () => {
    expect(encoded({ contractRet: "SUCCESS" }, { contractRet: "REVERT" })).toEqual(["1801", "1802"]);
    expect(encoded()).toEqual([]);
  });

  it("are undefined for a verdict that this code does not know", () => {
    expect(encodeResults([{ contractRet: "SOMEHOW" }])).toBeUndefined();
  });

  it.each([
    [[null]],
    [["SUCCESS"]],
    [[{ contractRet: 1 }]],
    [[{ ret: "MAYBE" }]],
    [[{ fee: "1" }]],
    [[{ orderId: "x" }]],
  ])("are refused for %j", (ret) => {
    expect(() => encodeResults(ret)).toThrow(AnswerError);
  });
});
