import { transactionAnswer } from "@daric/testing/block-answer";
import { hexField, intField, messageField } from "@daric/tron/protobuf";
import { contractTypeUrl } from "@daric/tron/transaction";
import { describe, expect, it } from "vitest";
import { parseTransaction } from "./parse-transaction.ts";
import { maxBurntBy, mayReturn, type TransactionOwner } from "./transaction-owner.ts";

const payer = `41${"11".repeat(20)}`;
const contract = `41${"33".repeat(20)}`;
const TRX = 1_000_000n;

/** The owner of a transaction of this type with this fee limit. */
function ownerOf(type: number, { from = payer, feeLimit = 0n } = {}): TransactionOwner | undefined {
  const value = Buffer.concat([hexField(1, from), hexField(2, contract)]);
  const any = Buffer.concat([
    hexField(1, Buffer.from(contractTypeUrl(type)).toString("hex")),
    messageField(2, value),
  ]);
  const rawData = messageField(11, Buffer.concat([intField(1, type), messageField(2, any)]));
  const raw = Buffer.concat([rawData, intField(18, feeLimit)]).toString("hex");
  const honest = transactionAnswer({ type: "VoteWitnessContract", from: payer });
  return parseTransaction({ ...honest, raw_data_hex: raw }).owner;
}

const burntBy = (type: number, feeLimit?: bigint) => {
  const owner = ownerOf(type, feeLimit === undefined ? {} : { feeLimit });
  return owner === undefined ? undefined : maxBurntBy(owner) / TRX;
};

describe("the most TRX that a transaction may burn", () => {
  it.each([
    ["a call, up to its limit", 31, 150n * TRX, 155n],
    ["a call without a limit", 31, undefined, 5n],
    ["a vote", 4, undefined, 5n],
    ["a stake", 54, undefined, 5n],
    ["a permission update", 46, undefined, 105n],
    ["the issue of an asset", 6, undefined, 1_029n],
    ["the creation of an exchange", 41, undefined, 1_029n],
    ["becoming a witness", 5, undefined, 10_004n],
  ])("is known for %s", (_name, type, feeLimit, trx) => {
    expect(burntBy(type, feeLimit)).toBe(trx);
  });

  it("grows with its bytes, 67 per signature", () => {
    const owner = { addressHex: payer, type: undefined, feeLimit: 0, bytes: 300 };
    expect(maxBurntBy({ ...owner, bytes: 100_300 }) - maxBurntBy(owner)).toBe(200n * TRX);
    const once = transactionAnswer({ type: "VoteWitnessContract", from: payer });
    const twice = { ...once, signature: [...once.signature, ...once.signature] };
    const bytesOf = (reported: object) => parseTransaction(reported).owner?.bytes ?? 0;
    expect(bytesOf(twice) - bytesOf(once)).toBe(67);
  });

  it("is unknown if its sender is no address or its type is unknown", () => {
    expect(ownerOf(4, { from: "" })).toBeUndefined();
    expect(ownerOf(4, { from: payer.slice(2) })).toBeUndefined();
    expect(ownerOf(100)).toBeUndefined();
    expect(ownerOf(4)?.addressHex).toBe(payer);
  });
});

it("only transactions that end a stake or claim rewards may return TRX", () => {
  const types = Array.from({ length: 60 }, (_, type) => type);
  const returning = types.filter((type) => mayReturn({ addressHex: payer, type, feeLimit: 0, bytes: 1 }));
  expect(returning).toEqual([12, 13, 55, 56, 59]);
});
