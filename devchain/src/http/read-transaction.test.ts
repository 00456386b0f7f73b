import { recordedTransactions } from "@daric/testing/recordings";
import { describe, expect, it } from "vitest";
import { readTransaction } from "./read-transaction.ts";

const RUNNABLE = ["TransferContract", "TriggerSmartContract"];

describe("recorded transactions", () => {
  it("packing the JSON gives raw_data_hex and the txID back, for every transfer and contract call", () => {
    const recordings = recordedTransactions().filter(({ raw_data }) =>
      RUNNABLE.includes(raw_data.contract[0]?.type ?? ""),
    );
    expect(recordings.length).toBeGreaterThan(7);
    for (const recorded of recordings) {
      const transaction = readTransaction({ ...recorded }, false);
      expect(transaction.rawHex).toBe(recorded.raw_data_hex);
      expect(transaction.txId).toBe(recorded.txID);
    }
  });
});
