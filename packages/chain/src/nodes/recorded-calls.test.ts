import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { usdtAt } from "@daric/testing/usdt";
import { describe, expect, it } from "vitest";
import { decodeTransfers } from "../blocks/decode-transfers.ts";
import { parseJson } from "../blocks/parse-json.ts";
import { HttpTronNode } from "./node.ts";

/** The token of the recorded private chain, and its most frequent sender. */
const token = "41b1295baf736f37db2898e7d86e7bd024d2e9e23a";

type Json = ReturnType<typeof JSON.parse>;
type RecordedCalls = { block: Json; infos: Json };

/** A java-tron node's recorded answers about a block; a test may change them. */
function reported(number: number): RecordedCalls {
  const path = createRequire(import.meta.url).resolve("@daric/tron/vectors/calls.json");
  const recorded = parseJson(readFileSync(path, "utf8")) as RecordedCalls[];
  const found = recorded.find(({ block }) => block.block_header.raw_data.number === number);
  if (found === undefined) throw new Error(`block ${number} is not recorded`);
  return found;
}

function fetchAs({ block, infos }: RecordedCalls) {
  const http = {
    label: "recording",
    get: () => Promise.reject(new Error("not used")),
    post: async (path: string) => (path === "/wallet/getblock" ? block : infos),
    close: async () => {},
  };
  const node = new HttpTronNode({
    http,
    solidityHttp: http,
    genesisId: undefined,
    tokens: usdtAt(token),
  });
  return node.fetchCompleteBlock(block.block_header.raw_data.number);
}

describe("in a block of java-tron", () => {
  it("TRX sent by contracts is found, without rejected, reverted or timed-out runs", async () => {
    const complete = await fetchAs(reported(247));
    const { transfers, contractCalls, internals } = decodeTransfers(complete, usdtAt(token));
    expect(complete.infos.map(({ receiptResult, internalCount }) => [receiptResult, internalCount])).toEqual([
      ["SUCCESS", 3],
      ["SUCCESS", 2],
      ["REVERT", 1],
      ["OUT_OF_TIME", 0],
      ["OUT_OF_TIME", 0],
      ["SUCCESS", 3],
      [undefined, 0],
      [undefined, 0],
    ]);
    const placeOf = new Map(complete.transactions.map(({ txId }, index) => [txId, index]));
    const found = transfers.map(({ txId, source, eventIndex, units, isMerkleProven }) => [
      placeOf.get(txId),
      source,
      eventIndex,
      units,
      isMerkleProven,
    ]);
    // A creation with TRX that self-destructs, a call that pays two addresses in the token and one in TRX, and two
    // plain payments.
    expect(found).toEqual([
      [0, "internal", 0, 4_000_000n, false],
      [0, "internal", 2, 4_000_000n, false],
      [5, "log", 0, 1_000_000n, false],
      [5, "log", 1, 1_000_001n, false],
      [5, "internal", 1, 1_000_000n, false],
      [6, "transfer", 0, 3_000_000n, true],
      [7, "transfer", 0, 3_000_000n, true],
    ]);
    expect({ contractCalls, internals }).toEqual({ contractCalls: 3, internals: 9 });
  });

  it("another token's log is no USDT, an approval is no transfer, and aborted runs move nothing", async () => {
    const complete = await fetchAs(reported(380));
    expect(complete.transactions.map(({ contractRet }) => contractRet)).toEqual([
      "OUT_OF_TIME",
      "ILLEGAL_OPERATION",
      "SUCCESS",
      "SUCCESS",
    ]);
    expect(complete.infos.map(({ logs }) => logs.length)).toEqual([0, 0, 1, 1]);
    const { transfers, unsupported, anomalies } = decodeTransfers(complete, usdtAt(token));
    expect({ transfers, anomalies }).toEqual({ transfers: [], anomalies: [] });
    expect(unsupported).toMatchObject([
      { source: "log", contractHex: "4101a6c0ffb6dc73681e3004eda4eb759152f12db0", rawValue: 5_000_000n },
    ]);
  });

  it.each([382, 386])("a stake and a permission update pay no address (%i)", async (number) => {
    const { transfers, unsupported, anomalies } = decodeTransfers(
      await fetchAs(reported(number)),
      usdtAt(token),
    );
    expect({ transfers, unsupported, anomalies }).toEqual({ transfers: [], unsupported: [], anomalies: [] });
  });
});

describe("a block of java-tron is refused with another", () => {
  it.each<[string, (reported: RecordedCalls) => void]>([
    [
      "amount of a transfer",
      ({ block: { transactions } }) => {
        const last = transactions.at(-1);
        last.raw_data_hex = last.raw_data_hex.replace("18c08db701", "18c18db701");
      },
    ],
    [
      "verdict of a run",
      ({ block: { transactions }, infos }) => {
        transactions[0].ret = [{ contractRet: "REVERT" }];
        infos[0].receipt.result = "REVERT";
      },
    ],
    [
      "order of transactions",
      ({ block: { transactions }, infos }) => {
        transactions.push(transactions.shift());
        infos.push(infos.shift());
      },
    ],
    [
      "signature of a transaction",
      ({ block: { transactions } }) => {
        const [first] = transactions;
        first.signature = [first.signature[0].replace(/^../, "00")];
      },
    ],
  ])("%s", async (_name, change) => {
    const changed = reported(247);
    change(changed);
    await expect(fetchAs(changed)).rejects.toThrow(/txTrieRoot|has the bytes of/);
  });
});
