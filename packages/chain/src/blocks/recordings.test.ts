import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { usdtAt } from "@daric/testing/usdt";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { describe, expect, it } from "vitest";
import { publicNetworks } from "../nodes/networks.ts";
import { HttpTronNode } from "../nodes/node.ts";
import type { CompleteBlock } from "./complete-block.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import { IncompleteBlockError } from "./node-error.ts";
import { type ProvableBlock, parseBlock, parseBlockHeader } from "./parse-block.ts";
import { parseJson } from "./parse-json.ts";
import { parseTransactionInfos } from "./parse-transaction-info.ts";

const { resolve } = createRequire(import.meta.url);
/** Recordings from live nodes, which are kept outside the repository. */
const folder = fileURLToPath(new URL("../../../../shared/fixtures/tron/", import.meta.url));
const isRecorded = existsSync(folder);
const token = usdtAt("41b1295baf736f37db2898e7d86e7bd024d2e9e23a");
const usdt = publicNetworks.mainnet.tokens;

type Json = ReturnType<typeof JSON.parse>;
const read = (name: string) => parseJson(readFileSync(folder + name, "utf8")) as Json;

/** A block answer made of the parts of a recorded block. */
const blockOf = (header: Json, transactions: Json[]) => parseBlock({ ...header, transactions });

function nodeReporting(block: Json, infos: Json, tokens = usdt): HttpTronNode {
  const http = {
    label: "recording",
    get: () => Promise.reject(new Error("not used")),
    post: async (path: string) => (path === "/wallet/getblock" ? block : infos),
    close: async () => {},
  };
  return new HttpTronNode({ http, solidityHttp: http, genesisId: undefined, tokens });
}

describe("recorded answers of java-tron in the repository", () => {
  const vectors = (name: string) =>
    parseJson(readFileSync(resolve(`@daric/tron/vectors/${name}.json`), "utf8")) as Json[];
  const [blocks, infos] = [vectors("blocks"), vectors("infos")];
  const fetch = (at: number, reported = infos[at]) =>
    nodeReporting(blocks[at], reported, token).fetchCompleteBlock(
      Number(blocks[at].block_header.raw_data.number),
    );

  it("are complete: the header has its id, and each transaction its info", async () => {
    for (const [at, block] of blocks.entries()) {
      const { header, transactions } = await fetch(at);
      expect(header.id).toBe(block.blockID);
      expect(transactions.map(({ txId }) => txId)).toEqual(
        (block.transactions ?? []).map(({ txID }: Json) => txID),
      );
    }
  });

  it("are incomplete with another block's infos, with fewer, and without", async () => {
    for (const reported of [infos[1], infos[2].slice(1), []]) {
      await expect(fetch(2, reported)).rejects.toThrow(IncompleteBlockError);
    }
  });

  it("contain a TRX and a token transfer, each with its units and addresses", async () => {
    const { transfers, anomalies } = decodeTransfers(await fetch(1), token);
    expect(anomalies).toEqual([]);
    expect(transfers.map(({ currency, source, units, toHex }) => [currency, source, units, toHex])).toEqual([
      ["TRX", "transfer", 12_345_678n, "41c0bea4599cb66875705003bd02554af501187f78"],
      ["USDT", "log", 5_000_000n, "41c0bea4599cb66875705003bd02554af501187f78"],
    ]);
  });

  it("contain transfers of successful runs, and none of reverted ones or ones out of energy", async () => {
    const { transfers } = decodeTransfers(await fetch(2), token);
    const [moved] = blocks[2].transactions;
    expect(transfers.map(({ txId, units }) => [txId, units])).toEqual([[moved.txID, 1_000_000n]]);
  });
});

describe.skipIf(!isRecorded)("recorded answers (skipped where ../shared/fixtures/tron is absent)", () => {
  it("a block of nile is complete with its infos", async () => {
    const block = read("nile-block-1000000.getblock.json");
    const infos = read("nile-block-1000000.gettransactioninfobyblocknum.json");
    const complete = await nodeReporting(block, infos).fetchCompleteBlock(1_000_000);
    expect(complete.header).toEqual({
      number: 1_000_000,
      id: "00000000000f424013e51b18e0782a32fa079ddafdb2f4c343468cf8896dc887",
      parentId: "00000000000f423fbccd9cdb9e410eabdf9f94145cf5b71a678b8b9616619125",
      timeMs: 1_578_594_852_000,
      witnessHex: block.block_header.raw_data.witness_address,
    });
    expect(complete.infos.map((info) => info.logs.length)).toEqual([1, 3, 1, 2, 3, 0]);
    const decoded = decodeTransfers(complete, usdt);
    expect(decoded).toMatchObject({ anomalies: [], unparsed: 0, contractCalls: 6, internals: 8 });
    const sent = decoded.transfers.map(({ source, eventIndex, units, toHex }) => [
      source,
      eventIndex,
      units,
      toHex,
    ]);
    expect(sent).toEqual([
      ["internal", 1, 700_000n, "413a5bfb715d2086ec513b64e98531e2f58154c44c"],
      ["internal", 2, 2_457_950_000n, "41f07e117a4b5f1fda66f8fcedf44065f1dafc5ad7"],
      ["internal", 1, 550_000n, "413a5bfb715d2086ec513b64e98531e2f58154c44c"],
    ]);
  });

  it("every block of java-tron above 0 is complete with its infos", async () => {
    const names = readdirSync(`${folder}../java-tron/blocks/`).filter((name) => name.endsWith(".block.json"));
    const reported = names.map((name) => [
      read(`../java-tron/blocks/${name}`),
      read(`../java-tron/blocks/${name.replace(".block.", ".infos.")}`),
    ]);
    const above0 = reported.filter(([block]) => block.block_header.raw_data.number > 0);
    expect(above0.length).toBeGreaterThan(30);
    for (const [block, infos] of above0) {
      const { number } = block.block_header.raw_data;
      const complete = await nodeReporting(block, infos, token).fetchCompleteBlock(number);
      expect(complete.transactions).toHaveLength(block.transactions?.length ?? 0);
      const { anomalies, unparsed } = decodeTransfers(complete, token);
      expect({ anomalies, unparsed }).toEqual({ anomalies: [], unparsed: 0 });
    }
  });

  it("the TRX that calls carry equals the call value that java-tron prints for successful calls", async () => {
    const counts = [];
    for (const number of [188, 235, 247]) {
      const [block, infos] = ["block", "infos"].map((of) =>
        read(`../java-tron/blocks/00${number}.${of}.json`),
      );
      const complete = await nodeReporting(block, infos, token).fetchCompleteBlock(number);
      const callValues = decodeTransfers(complete, token).callValues.map(
        ({ txId, fromHex, toHex, units }) => ({
          txId,
          value: { owner_address: fromHex, contract_address: toHex, call_value: Number(units) },
        }),
      );
      const printed = (block.transactions as Json[])
        .map(({ txID, ret, raw_data }) => ({ txId: txID, ret, value: raw_data.contract[0].parameter.value }))
        .filter(({ ret, value }) => ret[0].contractRet === "SUCCESS" && value.call_value !== undefined);
      expect(printed).toMatchObject(callValues);
      counts.push(callValues.length);
    }
    expect(counts).toEqual([0, 0, 3]);
  });

  it("block 0 of java-tron, whose header is prose, is known by its id", () => {
    const block = parseBlock(read("../java-tron/blocks/00000.block.json"));
    expect(block).toMatchObject({ header: { number: 0 }, transactions: [] });
  });

  it("an empty block of shasta is complete without infos", () => {
    const block = parseBlock(read("shasta-empty-block-33801295.getnowblock.json"));
    expect(block).toMatchObject({ header: { number: 33_801_295 }, transactions: [] });
  });

  it("mainnet's headers fulfil the rules of every header", () => {
    const later = read("mainnet-block-84940008.header-and-2-txs.json").block[0];
    const earlier = read("mainnet-block-67674988.header-and-2-txs.json");
    expect(parseBlockHeader(later)).toMatchObject({ number: 84_940_008, timeMs: 1_785_490_773_000 });
    expect(parseBlockHeader(earlier.block?.[0] ?? earlier)).toMatchObject({ number: 67_674_988 });
  });

  it("an 8-sun transfer on mainnet has 8 units, and a TRC-10 transfer none", () => {
    const block = parseBlock(read("mainnet-block-84940008.header-and-2-txs.json").block[0]) as ProvableBlock;
    const { transfers, unsupported } = decodeTransfers({ ...block, infos: [] }, usdt);
    expect(unsupported).toMatchObject([{ source: "transfer" }]);
    expect(transfers).toEqual([
      {
        txId: "3ec07911c77dcbdf7a75ae0e0486960add2993ac606c6e33fa92011f9f2665cb",
        source: "transfer",
        eventIndex: 0,
        currency: "TRX",
        fromHex: "4199a3cb64a17066fe19bfbce3dc5f0bb1d1220f55",
        toHex: "41a61e8fa110c166d65372953c1c43556f56193ccf",
        units: 8n,
        isMerkleProven: true,
        txExpirationMs: 1_785_490_830_050,
      },
    ]);
  });

  it("mainnet's pairs of transaction and info give their transfers, and delegations none", () => {
    const header = read("mainnet-block-84940008.header-and-2-txs.json").block[0];
    const { txs, infos } = read("mainnet-pairs-2025-02.ledger.json") as { txs: Json[]; infos: Json[] };
    const known = new Map(parseTransactionInfos(infos).map((info) => [info.txId, info]));
    const block = blockOf(header, txs);
    const paired = txs.map((tx) => known.get(tx.txID));
    const { transfers, anomalies } = decodeTransfers({ ...block, infos: paired } as CompleteBlock, usdt);
    expect(anomalies).toEqual([]);
    expect(transfers.map(({ currency, units, toHex }) => [currency, units, toHex])).toContainEqual([
      "USDT",
      41_677_389n,
      "41ec20315a879c48f5e3a6a1c9826d5225f8b658b8",
    ]);
    expect(transfers.map(({ currency, units, toHex }) => [currency, units, toHex])).toContainEqual([
      "TRX",
      150_466_320n,
      "4115e75fb8683b09c857d7b8a740b1d0234a3ca97b",
    ]);
    const kinds = txs.map((tx) => tx.raw_data.contract[0].type);
    const money = kinds.filter((type) => type === "TransferContract" || type === "TriggerSmartContract");
    expect(transfers).toHaveLength(money.length);
  });

  it("a mainnet info with USDT among other events gives the USDT alone", () => {
    const infos = parseTransactionInfos(read("mainnet-block-67325788.two-infos-itx-edited.json"));
    const transactions = infos.map((info) => ({
      txId: info.txId,
      contractRet: "SUCCESS",
      expirationMs: undefined,
      contract: { kind: "vm" as const },
    }));
    const header = aHeader({ number: 67_325_788, timeMs: 1_732_627_338_000 });
    const { transfers } = decodeTransfers({ header, transactions, infos }, usdt);
    const paid = transfers.filter((transfer) => transfer.txId === infos[0]?.txId);
    expect(paid).toMatchObject([{ units: 160_101n, toHex: "419dc5da2b3c502661c8448ba88bacf7f0b22272ad" }]);
  });

  it("an info without a receipt result has none, and its time is exact", () => {
    const [info] = parseTransactionInfos([
      read("shasta-trx-transfer-activation.gettransactioninfobyid.json"),
    ]);
    expect(info).toMatchObject({ receiptResult: undefined, logs: [], blockTimeMs: 1_681_368_027_000 });
  });

  it("addresses of the visible form equal those of the hex form", () => {
    const tx = read("shasta-trx-transfer-activation.gettransactionbyid.visible.json");
    const { owner_address, to_address } = tx.raw_data.contract[0].parameter.value;
    for (const address of [owner_address, to_address])
      expect(tx.raw_data_hex).toContain(addressToHex(address));
  });
});
