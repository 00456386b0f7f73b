import { type RecordedTransaction, recordedTransactions, transactionOf } from "@daric/testing/recordings";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { messageField } from "./protobuf.ts";
import { recoverSigner } from "./signature.ts";
import {
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
  transactionFromRaw,
} from "./transaction.ts";

const RUNNABLE = ["TransferContract", "TriggerSmartContract"];

function runnable(): RecordedTransaction[] {
  return recordedTransactions().filter((recorded) => RUNNABLE.includes(typeOf(recorded)));
}

function typeOf(recorded: RecordedTransaction): string {
  return recorded.raw_data.contract[0]?.type ?? "";
}

describe("recorded transactions", () => {
  it("decoding the bytes gives the txID", () => {
    for (const recorded of recordedTransactions()) expect(transactionOf(recorded).txId).toBe(recorded.txID);
  });

  it("decoding raw_data_hex and encoding it again changes no byte", () => {
    for (const { raw_data_hex } of recordedTransactions()) {
      expect(bytesToHex(encodeRawData(decodeRawData(hexToBytes(raw_data_hex))))).toBe(raw_data_hex);
    }
  });

  it("the signature recovers to the owner", () => {
    for (const recorded of runnable()) {
      const owner = recorded.raw_data.contract[0]?.parameter.value.owner_address;
      expect(recoverSigner(recorded.txID, recorded.signature[0] ?? "")).toBe(owner);
    }
  });
});

describe("transactions", () => {
  const raw = {
    refBlockBytes: "0012",
    refBlockHash: "00112233445566ff",
    expiration: 1_767_225_660_000n,
    data: "6d656d6f",
    contracts: [
      {
        type: 1,
        permissionId: 2,
        value: {
          kind: "transfer",
          ownerAddress: `41${"11".repeat(20)}`,
          toAddress: `41${"22".repeat(20)}`,
          amount: 2n ** 62n + 1n,
        },
      },
    ],
    timestamp: 1_767_225_600_001n,
    feeLimit: 7n,
  } as const;

  it("an encoded transaction decodes to itself, memo, permission and large amounts included", () => {
    const transaction = transactionFromRaw(raw, ["ab".repeat(65)]);
    expect(decodeTransaction(encodeTransaction(transaction))).toEqual(transaction);
  });

  it("unknown fields keep their place in the txID", () => {
    const withAuths = hexToBytes(`${bytesToHex(encodeRawData(raw))}4a00`);
    const decoded = decodeTransaction(messageField(1, withAuths));
    expect(decoded.rawHex).toBe(bytesToHex(withAuths));
    expect(decoded.txId).not.toBe(transactionFromRaw(raw).txId);
  });

  it("bytes cut short are refused", () => {
    const bytes = encodeTransaction(transactionFromRaw(raw));
    expect(() => decodeTransaction(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  });
});
