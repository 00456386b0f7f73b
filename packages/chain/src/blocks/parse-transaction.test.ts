import { transactionAnswer } from "@daric/testing/block-answer";
import { hexField, intField, messageField, textField } from "@daric/tron/protobuf";
import { contractTypeUrl } from "@daric/tron/transaction";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTransaction } from "./parse-transaction.ts";
import { AnswerError } from "./read-json.ts";

const payer = `41${"11".repeat(20)}`;
const payee = `41${"22".repeat(20)}`;
const contract = `41${"33".repeat(20)}`;

const transfer = (amount: bigint, change: { from?: string; to?: string } = {}) =>
  transactionAnswer({ type: "TransferContract", from: payer, to: payee, amount, ...change });

function withValue(type: number, value: Uint8Array): object {
  const any = Buffer.concat([textField(1, contractTypeUrl(type)), messageField(2, value)]);
  const rawData = Buffer.concat([intField(1, type), messageField(2, any)]);
  return { ...transfer(1n), raw_data_hex: Buffer.from(messageField(11, rawData)).toString("hex") };
}

describe("the contract of a transaction", () => {
  it("is read exactly, for any int64 amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (amount) => {
        expect(parseTransaction(transfer(amount)).contract).toEqual({
          kind: "transfer",
          fromHex: payer,
          toHex: payee,
          units: amount,
        });
      }),
    );
  });

  it.each([
    ["of nothing", transfer(0n)],
    ["of less than nothing", transfer(-1n)],
    ["to nobody", transfer(1n, { to: "" })],
    ["to 20 bytes", transfer(1n, { to: payee.slice(2) })],
    ["to another network's address", transfer(1n, { to: `a0${payee.slice(2)}` })],
    ["from nobody", transfer(1n, { from: "" })],
    [
      "whose amount is bytes",
      withValue(1, Buffer.concat([hexField(1, payer), hexField(2, payee), hexField(3, "05")])),
    ],
    ["that says nothing", withValue(1, new Uint8Array())],
    ["of an asset without a receiver", withValue(2, Buffer.concat([hexField(2, payer), intField(4, 5)]))],
  ])("is never a transfer %s", (_name, reported) => {
    expect(() => parseTransaction(reported)).toThrow(AnswerError);
    expect(() => parseTransaction(reported)).toThrow(/^transaction [0-9a-f]{64}: a transfer /);
  });

  it("is an asset transfer, a call with its data, a creation, or one that moves no money", () => {
    const rawData = (facts: Parameters<typeof transactionAnswer>[0]) =>
      parseTransaction(transactionAnswer(facts)).contract;
    const asset = { type: "TransferAssetContract", from: payer, to: payee, amount: 5n, asset: "1000001" };
    expect(rawData(asset)).toEqual({
      kind: "asset",
      fromHex: payer,
      toHex: payee,
      rawValue: 5n,
      assetHex: Buffer.from("1000001").toString("hex"),
    });
    expect(rawData({ type: "TriggerSmartContract", from: payer, contract, data: "a9059cbb" })).toEqual({
      kind: "vm",
      call: { ownerHex: payer, contractHex: contract, dataHex: "a9059cbb" },
    });
    expect(rawData({ type: "CreateSmartContract", from: payer, callValue: 0n })).toEqual({ kind: "vm" });
    expect(rawData({ type: "DelegateResourceContract", from: payer })).toEqual({ kind: "other" });
  });

  it("includes the TRX that a call carries, and that a creation carries", () => {
    const rawData = (facts: Parameters<typeof transactionAnswer>[0]) =>
      parseTransaction(transactionAnswer(facts)).contract;
    const callValue = 2n ** 60n + 1n;
    expect(
      rawData({ type: "TriggerSmartContract", from: payer, contract, data: "d0e30db0", callValue }),
    ).toEqual({
      kind: "vm",
      call: { ownerHex: payer, contractHex: contract, dataHex: "d0e30db0" },
      callValue: { fromHex: payer, toHex: contract, units: callValue },
    });
    expect(rawData({ type: "CreateSmartContract", from: payer, callValue })).toEqual({
      kind: "vm",
      callValue: { fromHex: payer, toHex: undefined, units: callValue },
    });
    const owed = { type: "TriggerSmartContract", from: payer, contract, data: "", callValue: -1n } as const;
    expect(rawData(owed)).not.toHaveProperty("callValue");
  });

  it("includes staked TRX, which stays with its owner", () => {
    const staked = (amount: bigint) =>
      parseTransaction(withValue(54, Buffer.concat([hexField(1, payer), intField(2, amount)]))).contract;
    expect(staked(7n)).toEqual({ kind: "other", callValue: { fromHex: payer, toHex: payer, units: 7n } });
    expect(staked(0n)).toEqual({ kind: "other" });
  });

  it("has no expiration if that is beyond all dates", () => {
    for (const expirationMs of [0, 253_402_300_800_000, 2n ** 63n - 1n, -1n]) {
      const reported = transactionAnswer({ type: "VoteWitnessContract", from: payer }, { expirationMs });
      expect(parseTransaction(reported).expirationMs).toBeUndefined();
    }
    const reported = transactionAnswer({ type: "VoteWitnessContract", from: payer }, { expirationMs: 5 });
    expect(parseTransaction(reported).expirationMs).toBe(5);
  });

  it("never returns invented money, and fails only with an AnswerError, for any bytes", () => {
    const honest = transfer(7n);
    const { raw_data_hex } = honest;
    const length = raw_data_hex.length / 2;
    fc.assert(
      fc.property(fc.nat(length), fc.uint8Array({ maxLength: 12 }), fc.nat(12), (at, put, gone) => {
        const rest = raw_data_hex.slice(2 * (at + gone));
        const garbled = raw_data_hex.slice(0, 2 * at) + Buffer.from(put).toString("hex") + rest;
        try {
          const parsed = parseTransaction({ ...honest, raw_data_hex: garbled });
          if (parsed.contract.kind === "transfer") expect(parsed.contract.units).toBeGreaterThan(0n);
          expect(parsed.rawHex).toBe(garbled);
        } catch (error) {
          expect(error).toBeInstanceOf(AnswerError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
