import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { usdtAt } from "@daric/testing/usdt";
import { describe, expect, it } from "vitest";
import { HttpTronNode } from "../nodes/node.ts";
import { transfersOfNodeTransaction } from "./node-transaction.ts";
import { parseJson } from "./parse-json.ts";

const token = "41b1295baf736f37db2898e7d86e7bd024d2e9e23a";

type Json = ReturnType<typeof JSON.parse>;

/** A java-tron node's recorded answers about one transaction of its block 247; a test may change them. */
function recorded(place: number): { txId: string; transaction: Json; info: Json } {
  const path = createRequire(import.meta.url).resolve("@daric/tron/vectors/calls.json");
  const blocks = parseJson(readFileSync(path, "utf8")) as Json[];
  const { block, infos } = blocks.find(({ block: { block_header } }) => block_header.raw_data.number === 247);
  const transaction = block.transactions[place];
  return { txId: transaction.txID, transaction, info: infos[place] };
}

function find(txId: string, { transaction, info }: { transaction: Json; info: Json }) {
  const http = {
    label: "recording",
    get: () => Promise.reject(new Error("not used")),
    post: async (path: string) => (path === "/wallet/gettransactionbyid" ? transaction : info),
    close: async () => {},
  };
  const options = { http, solidityHttp: http, genesisId: undefined, tokens: usdtAt(token) };
  return new HttpTronNode(options).findRun(txId);
}

describe("a node transaction", () => {
  it("has its transfers, none of them Merkle-proven", async () => {
    const answers = recorded(5);
    const run = (await find(answers.txId, answers)) ?? expect.fail("nothing found");
    expect(run.info.blockNumber).toBe(247);
    const { transfers } = transfersOfNodeTransaction(run, usdtAt(token));
    expect(transfers.map(({ source, units, isMerkleProven }) => [source, units, isMerkleProven])).toEqual([
      ["log", 1_000_000n, false],
      ["log", 1_000_001n, false],
      ["internal", 1_000_000n, false],
    ]);
  });

  it("is undefined while the node has no block with it", async () => {
    const { txId, transaction, info } = recorded(5);
    expect(await find(txId, { transaction, info: {} })).toBeUndefined();
    expect(await find(txId, { transaction: {}, info })).toBeUndefined();
  });

  it.each<[string, (answers: { transaction: Json; info: Json }) => void]>([
    ["the info of another transaction", (answers) => (answers.info = recorded(6).info)],
    ["another transaction", (answers) => (answers.transaction = recorded(6).transaction)],
    [
      "other bytes under its id",
      ({ transaction }) => {
        transaction.raw_data_hex = recorded(6).transaction.raw_data_hex;
      },
    ],
    ["invalid bytes", ({ transaction }) => (transaction.raw_data_hex = "zz")],
    ["another result of the run", ({ info }) => (info.receipt.result = "REVERT")],
    ["no object", (answers) => (answers.info = "<html>")],
    ["no block", ({ info }) => (info.blockNumber = -1)],
  ])("is refused if the node answers with %s", async (_, spoil) => {
    const answers = recorded(5);
    spoil(answers);
    await expect(find(answers.txId, answers)).rejects.toMatchObject({ fault: "unexpected_answer" });
  });
});
