import {
  completeBlocks,
  hasRecordings,
  headerOf,
  type RecordedTransaction,
  readRecording,
  vectorBlocks,
  vectorInfos,
} from "@daric/testing/recordings";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import { aChain, mineBlocks, send, trxTransfer, usdtTransfer } from "../../test/chain-builders.ts";
import { findTransaction } from "../chain/chain-store.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { jsonText } from "./json-text.ts";
import { readTransaction } from "./read-transaction.ts";
import { renderBlock, renderInfo, renderTransaction } from "./render-transaction.ts";

const { payer } = GENESIS;
const NEWCOMER = keyPairFromPhrase("render newcomer").address;

type Json = Record<string, unknown>;

/** The keys of an object and its inner objects. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
}

function infoOf(txId: string, chain: ReturnType<typeof aChain>): Json {
  const found = findTransaction(chain.store, txId);
  if (found === undefined) throw new Error("not mined");
  return JSON.parse(jsonText(renderInfo(found.outcome, found.block, false)));
}

function recordedInfo(id: string): Json {
  const { infos } = readRecording<{ infos: Json[] }>("mainnet-pairs-2025-02.ledger.json");
  const info = infos.find((candidate) => candidate.id === id);
  if (info === undefined) throw new Error("no such recording");
  return info;
}

describe("rendering", () => {
  it("a block is printed key by key as the node printed it", () => {
    for (const recorded of completeBlocks()) {
      const block = {
        id: recorded.blockID,
        header: headerOf(recorded),
        witnessSignature: recorded.block_header.witness_signature,
        transactions: (recorded.transactions ?? []).map((transaction) => ({
          transaction: readTransaction({ ...transaction }, false),
          contractRet: transaction.ret[0]?.contractRet ?? "DEFAULT",
        })),
      };
      expect(JSON.parse(jsonText(renderBlock(block, false)))).toEqual(recorded);
    }
  });

  it("a transaction printed with visible addresses reads back as the same", () => {
    const transactions = vectorBlocks().flatMap((block) => block.transactions ?? []);
    expect(transactions.length).toBeGreaterThan(7);
    for (const recorded of transactions) {
      const printed = renderTransaction(readTransaction({ ...recorded }, false), true);
      expect(readTransaction(JSON.parse(jsonText(printed)), true).txId).toBe(recorded.txID);
    }
  });

  it("the info of a USDT transfer has the keys that java-tron printed, and the penalty of mainnet's contract", () => {
    const chain = aChain();
    const txId = send(chain, payer, usdtTransfer(payer, NEWCOMER, 1n));
    mineBlocks(chain, 1);
    // This chain charges no fee of the block's producer.
    const [, , [info = {}] = []] = vectorInfos();
    const { packingFee: _, ...recorded } = info;
    const receipt = { ...(recorded.receipt as Json), energy_penalty_total: 0 };
    expect(shape(infoOf(txId, chain))).toEqual(shape({ ...recorded, receipt }));
  });
});

describe.skipIf(!hasRecordings)("rendering against recordings", () => {
  it("a transaction is read and printed with visible addresses as the node printed it", () => {
    const recorded = readRecording<RecordedTransaction>(
      "shasta-trx-transfer-activation.gettransactionbyid.visible.json",
    );
    const transaction = readTransaction({ ...recorded }, true);
    expect(transaction.txId).toBe(recorded.txID);
    const { ret: _, ...withoutResult } = recorded;
    expect(JSON.parse(jsonText(renderTransaction(transaction, true)))).toEqual(withoutResult);
  });

  it("the info of an activating TRX transfer has the recorded keys and fees", () => {
    const chain = aChain();
    const txId = send(chain, payer, trxTransfer(payer, NEWCOMER, 1n));
    mineBlocks(chain, 1);
    const recorded = readRecording<Json>("shasta-trx-transfer-activation.gettransactioninfobyid.json");
    const info = infoOf(txId, chain);
    expect(shape(info)).toEqual(shape(recorded));
    expect([info.fee, info.receipt, info.contractResult]).toEqual([
      recorded.fee,
      recorded.receipt,
      recorded.contractResult,
    ]);
  });

  it("the info of a TRX transfer inside the free bandwidth has the recorded keys", () => {
    const chain = aChain();
    const txId = send(chain, payer, trxTransfer(payer, GENESIS.treasury.address, 1n));
    mineBlocks(chain, 1);
    const recorded = recordedInfo("5144c4f5a52a08e57dfdf550b4f925c396e68c59a80339cea69497bee116437f");
    expect(shape(infoOf(txId, chain))).toEqual(shape(recorded));
  });

  it("the info of a USDT transfer to a new holder has the recorded keys, energy and log", () => {
    const chain = aChain();
    const txId = send(chain, payer, usdtTransfer(payer, NEWCOMER, 41_677_389n));
    mineBlocks(chain, 1);
    const recorded = recordedInfo("0130dfde9281a48378109039ef512229d5359fbee2a8adbb17ad73aebc67ea99");
    const info = infoOf(txId, chain);
    const { energy_usage: stakedEnergy, ...receipt } = recorded.receipt as Json;
    expect(stakedEnergy).toBe(4475);
    expect(shape(info)).toEqual(shape({ ...recorded, receipt }));
    expect(info.contractResult).toEqual(recorded.contractResult);
    expect(info.receipt).toMatchObject({
      energy_usage_total: 130_285,
      energy_penalty_total: 100_635,
      net_usage: 345,
    });
    const [log, recordedLog] = [info, recorded].map(
      ({ log }) => (log as { topics: string[]; data: string }[])[0],
    );
    expect(log?.topics[0]).toBe(recordedLog?.topics[0]);
    expect(log?.data).toBe(recordedLog?.data);
  });
});

describe("visible", () => {
  it("turns log addresses from 20 bytes of hex into base58 and leaves topics alone", () => {
    const chain = aChain();
    const txId = send(chain, payer, usdtTransfer(payer, NEWCOMER, 1n));
    mineBlocks(chain, 1);
    const found = findTransaction(chain.store, txId);
    if (found === undefined) throw new Error("not mined");
    const [hex, visible] = [false, true].map((form) =>
      JSON.parse(jsonText(renderInfo(found.outcome, found.block, form))),
    );
    expect(hex.log[0].address).toBe(GENESIS.usdtContract.slice(2));
    expect(visible.log[0].address).toBe("TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW");
    expect(visible.log[0].topics).toEqual(hex.log[0].topics);
  });
});
