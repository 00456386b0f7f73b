import { recordedTransactions, vectorStakes } from "@daric/testing/recordings";
import { contractKind } from "@daric/tron/contract-shapes";
import { contractTypeNumber } from "@daric/tron/contract-types";
import { describe, expect, it } from "vitest";
import { RequestRefusal } from "./api-request.ts";
import { jsonText } from "./json-text.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderTransaction } from "./render-transaction.ts";

const stakes = vectorStakes().map(({ tx }) => tx);

describe("recorded transactions", () => {
  it("reading the JSON gives raw_data_hex and the txID, for every supported type", () => {
    const recordings = recordedTransactions().filter(
      ({ raw_data }) =>
        contractKind(contractTypeNumber(raw_data.contract[0]?.type ?? "") ?? -1) !== undefined,
    );
    expect(recordings.length).toBeGreaterThan(7);
    for (const recorded of [...recordings, ...stakes]) {
      const transaction = readTransaction({ ...recorded }, false);
      expect(transaction.rawHex).toBe(recorded.raw_data_hex);
      expect(transaction.txId).toBe(recorded.txID);
    }
  });

  it("stakes, delegations and permissions are printed key by key as the node printed them", () => {
    for (const { ret: _, ...recorded } of stakes) {
      const transaction = readTransaction({ ...recorded }, false);
      expect(JSON.parse(jsonText(renderTransaction(transaction, false)))).toEqual(recorded);
      const visible: Record<string, unknown> = JSON.parse(jsonText(renderTransaction(transaction, true)));
      expect(readTransaction(visible, true).txId).toBe(recorded.txID);
    }
  });

  it("an unknown enum value is refused", () => {
    const [stake] = stakes;
    const text = JSON.stringify(stake).replaceAll('"ENERGY"', '"STORAGE"');
    expect(() => readTransaction(JSON.parse(text), false)).toThrow(RequestRefusal);
  });
});
