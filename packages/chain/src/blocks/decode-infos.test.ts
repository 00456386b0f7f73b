import { usdtAt } from "@daric/testing/usdt";
import { aHeader } from "@daric/testing/witnesses";
import { addressWord, TRANSFER_TOPIC, uintWord } from "@daric/tron/abi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompleteBlock } from "./complete-block.ts";
import { decodeInfos, decodeRuns, digestOfIds, foreignInfos, infosDigestOf } from "./decode-infos.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";

const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const [PAYER, PAYEE, TOKEN] = ["11", "22", "33"].map((byte) => `41${byte.repeat(20)}`) as [
  string,
  string,
  string,
];
const number = 5;
const timeMs = 1_735_689_600_000;
const txIds = ["aa", "bb", "cc"].map((byte) => byte.repeat(32));

function anInfo(txId: string, change: Partial<TransactionInfo> = {}): TransactionInfo {
  const verdict = { receiptResult: "SUCCESS", result: undefined };
  const moved = { logs: [], internals: [], internalCount: 0 };
  return { txId, blockNumber: number, blockTimeMs: timeMs, ...verdict, ...moved, ...change };
}

const aLog = (units: bigint, { toHex = PAYEE, token = USDT } = {}): EventLog => ({
  addressHex: token.slice(2),
  topics: [TRANSFER_TOPIC, addressWord(PAYER), addressWord(toHex)],
  data: uintWord(units),
});

const anInternal = (index: number, rawValue: bigint) => ({
  index,
  fromHex: PAYER,
  toHex: PAYEE,
  values: [{ assetId: undefined, rawValue }],
});

function aRun(txId: string, change: Partial<ChainTransaction> = {}): ChainTransaction {
  return { txId, contractRet: "SUCCESS", expirationMs: timeMs + 60_000, contract: { kind: "vm" }, ...change };
}

describe("the digest of a block's infos", () => {
  it("changes with the order and the set of transactions", () => {
    const all = txIds.map((txId) => ({ txId }));
    const digests = [all, all.toReversed(), all.slice(1), all.slice(0, -1), []].map(digestOfIds);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("exists if a transaction may have run a contract, and covers the infos of such a block", () => {
    const native = aRun("aa".repeat(32), {
      contract: { kind: "transfer", fromHex: PAYER, toHex: PAYEE, units: 1n as never },
    });
    const unknown = aRun("bb".repeat(32), { contract: { kind: "unknown" } });
    expect(infosDigestOf({ transactions: [] })).toBeUndefined();
    expect(infosDigestOf({ transactions: [native] })).toBeUndefined();
    expect(infosDigestOf({ transactions: [native, unknown] })).toBe(digestOfIds([native, unknown]));
  });
});

describe("a node's infos", () => {
  const infos = txIds.map((txId) => anInfo(txId));
  const infosDigest = digestOfIds(infos);
  const foreign = (reported: readonly TransactionInfo[]) =>
    foreignInfos(reported, { number, timeMs, infosDigest });
  const [first, ...others] = infos as [TransactionInfo, ...TransactionInfo[]];

  it("are the block's if number, time and the order of transactions match", () => {
    expect(foreign(infos)).toBeUndefined();
  });

  it.each<[string, TransactionInfo[], RegExp]>([
    [
      "of another number",
      [...others, { ...first, blockNumber: 6 }],
      /^the info of transaction (aa)+ is of another block$/,
    ],
    [
      "of another time",
      [{ ...first, blockTimeMs: timeMs + 3_000 }, ...others],
      /^the info of transaction (aa)+ is of another/,
    ],
    ["in another order", infos.toReversed(), /^its 3 infos are not those of the block's transactions$/],
    ["of one transaction less", others, /^its 2 infos are not those/],
    ["of one transaction more", [...infos, anInfo("dd".repeat(32))], /^its 4 infos are not those/],
    ["of one transaction twice", [first, ...infos.slice(0, -1)], /^its 3 infos are not those/],
    ["of none", [], /^its 0 infos are not those/],
  ])("are foreign if they are %s", (_what, reported, expected) => {
    expect(foreign(reported)).toMatch(expected);
  });
});

describe("decodeInfos", () => {
  const aMove = fc.record({
    usdt: fc.array(fc.bigInt({ min: 0n, max: 2n ** 63n }), { maxLength: 3 }),
    tokens: fc.array(fc.bigInt({ min: 0n, max: 2n ** 255n }), { maxLength: 2 }),
    sun: fc.array(fc.bigInt({ min: 0n, max: 2n ** 62n }), { maxLength: 3 }),
    isFailed: fc.boolean(),
  });

  it("gives the same logs and internal transfers as the block's bytes, none Merkle-proven", () => {
    fc.assert(
      fc.property(fc.array(aMove, { maxLength: txIds.length }), (runs) => {
        const infos = runs.map(({ usdt, tokens, sun, isFailed }, position) =>
          anInfo(txIds[position] ?? "", {
            receiptResult: isFailed ? "REVERT" : "SUCCESS",
            logs: [
              ...usdt.map((units) => aLog(units)),
              ...tokens.map((units) => aLog(units, { token: TOKEN })),
            ],
            internals: sun.map((rawValue, index) => anInternal(index, rawValue)),
            internalCount: sun.length,
          }),
        );
        const transactions = infos.map(({ txId, receiptResult }) =>
          aRun(txId, { contractRet: receiptResult ?? "" }),
        );
        const whole = decodeTransfers({ header: { number }, transactions, infos }, usdtAt(USDT));
        const decoded = decodeInfos({ number, infos }, usdtAt(USDT));
        const bare = ({ transfers, anomalies, unsupported, internals }: typeof whole) => ({
          transfers: transfers.map(({ txExpirationMs: _, ...transfer }) => ({
            ...transfer,
            isMerkleProven: false,
          })),
          ...{ anomalies, unsupported, internals },
        });
        expect(bare(decoded)).toEqual(bare(whole));
        expect(decoded.transfers.every(({ isMerkleProven }) => !isMerkleProven)).toBe(true);
      }),
    );
  });

  it("treats a direct call as a plain log, because it does not see the caller", () => {
    const infos = [anInfo(txIds[0] ?? "", { logs: [aLog(7n)] })];
    expect(decodeInfos({ number, infos }, usdtAt(USDT)).transfers).toMatchObject([
      { source: "log", units: 7n, toHex: PAYEE, isMerkleProven: false, txExpirationMs: undefined },
    ]);
  });
});

describe("decodeRuns", () => {
  const [direct = "", routed = "", failed = ""] = txIds;
  const dataHex = `a9059cbb${addressWord(PAYEE)}${uintWord(100n)}`;
  const block: Pick<CompleteBlock, "header" | "transactions"> = {
    header: aHeader({ number, timeMs }),
    transactions: [
      aRun(direct, { contract: { kind: "vm", call: { ownerHex: PAYER, contractHex: USDT, dataHex } } }),
      aRun(routed),
      aRun(failed, { contractRet: "REVERT" }),
    ],
  };
  const decode = (...infos: TransactionInfo[]) => decodeRuns(block, { infos, tokens: usdtAt(USDT) });

  it("uses the bytes of runs: a direct call is Merkle-proven and has its expiration", () => {
    const { decoded, mismatched } = decode(
      anInfo(direct, { logs: [aLog(100n)] }),
      anInfo(routed, { logs: [aLog(3n)] }),
    );
    expect(decoded.transfers).toMatchObject([
      { txId: direct, units: 100n, isMerkleProven: true, txExpirationMs: timeMs + 60_000 },
      { txId: routed, units: 3n, isMerkleProven: false },
    ]);
    expect([...mismatched]).toEqual([]);
  });

  it.each([
    ["the payee received less than the call sends", { logs: [aLog(90n)] }],
    ["another payee was paid", { logs: [aLog(100n, { toHex: TOKEN })] }],
    ["nothing was paid", { logs: [] }],
    ["the call failed", { receiptResult: "REVERT" }],
  ])(
    "reports a mismatch, and no transfer, of a direct call if the node reports that %s",
    (_what, reported) => {
      const { decoded, mismatched } = decode(anInfo(direct, reported), anInfo(routed, { logs: [aLog(3n)] }));
      expect([...mismatched]).toEqual([direct]);
      expect(decoded.transfers.map(({ txId }) => txId)).toEqual([routed]);
    },
  );

  it("reports a mismatch of a run that failed in its block and succeeded in its info", () => {
    const { decoded, mismatched } = decode(anInfo(failed, { logs: [aLog(5n)] }));
    expect([...mismatched]).toEqual([failed]);
    expect(decoded.transfers).toEqual([]);
  });

  it("ignores infos of transactions that the block lacks", () => {
    const { decoded, mismatched } = decode(anInfo("dd".repeat(32), { logs: [aLog(5n)] }));
    expect([decoded.transfers, [...mismatched]]).toEqual([[], []]);
  });
});
