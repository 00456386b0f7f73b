import { aHeader } from "@daric/testing/witnesses";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountIn } from "../domain/money.ts";
import type { CompleteBlock } from "./complete-block.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import type { ChainTransaction } from "./parse-block.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const payer = `41${"11".repeat(20)}`;
const payee = `41${"22".repeat(20)}`;
const txId = "ab".repeat(32);
const timeMs = 1_735_689_600_000;

const topic = (addressHex: string) => addressHex.slice(2).padStart(64, "0");
const word = (units: bigint) => units.toString(16).padStart(64, "0");

function usdtLog(units: bigint, change: Partial<EventLog> = {}): EventLog {
  return {
    addressHex: USDT.slice(2),
    topics: [TRANSFER, topic(payer), topic(payee)],
    data: word(units),
    ...change,
  };
}

type Run = { transaction?: Partial<ChainTransaction>; info?: Partial<TransactionInfo> };

function blockOf({ transaction = {}, info = {} }: Run): CompleteBlock {
  return {
    header: aHeader({ number: 5, timeMs }),
    signerHex: undefined,
    transactions: [
      {
        txId,
        contractRet: "SUCCESS",
        expirationMs: timeMs + 60_000,
        contract: { kind: "vm" },
        ...transaction,
      },
    ],
    infos: [
      {
        txId,
        blockNumber: 5,
        blockTimeMs: timeMs,
        receiptResult: "SUCCESS",
        result: undefined,
        logs: [],
        ...info,
      },
    ],
  };
}

const decodeRun = (run: Run) => decodeTransfers(blockOf(run), USDT);
const decodeLogs = (...logs: EventLog[]) => decodeRun({ info: { logs } });
const native = (units: bigint) =>
  ({ kind: "transfer", fromHex: payer, toHex: payee, units: amountIn("TRX", units) }) as const;

describe("USDT transfers", () => {
  it("are the Transfer events of the USDT contract, keyed by their place in the log", () => {
    const other = usdtLog(9n, { addressHex: "33".repeat(20) });
    const decoded = decodeLogs(other, usdtLog(25_500_000n), usdtLog(1n));
    const common = { txId, source: "log", currency: "USDT", contractHex: USDT, fromHex: payer, toHex: payee };
    expect(decoded).toEqual({
      transfers: [
        { ...common, eventIndex: 1, units: 25_500_000n, txExpirationMs: timeMs + 60_000 },
        { ...common, eventIndex: 2, units: 1n, txExpirationMs: timeMs + 60_000 },
      ],
      anomalies: [],
      unparsed: 0,
    });
  });

  it("of any value up to int8 arrive exactly, whoever pays whom", () => {
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((b) => `41${Buffer.from(b).toString("hex")}`);
    fc.assert(
      fc.property(address, address, fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (fromHex, toHex, units) => {
        const [transfer] = decodeLogs(
          usdtLog(units, { topics: [TRANSFER, topic(fromHex), topic(toHex)] }),
        ).transfers;
        expect(transfer).toMatchObject({ fromHex, toHex, units });
      }),
    );
  });

  it("are found in transactions of any contract, also of one the node could not unpack", () => {
    for (const kind of ["vm", "other", "unknown"] as const) {
      const decoded = decodeRun({ transaction: { contract: { kind } }, info: { logs: [usdtLog(7n)] } });
      expect(decoded.transfers).toHaveLength(1);
      expect(decoded.unparsed).toBe(kind === "unknown" ? 1 : 0);
    }
  });

  it("ignore what a dirty topic has above its 20 bytes, as the contract does", () => {
    const dirty = `${"0".repeat(22)}41${payee.slice(2)}`;
    const [transfer] = decodeLogs(usdtLog(3n, { topics: [TRANSFER, topic(payer), dirty] })).transfers;
    expect(transfer?.toHex).toBe(payee);
  });

  it("never have zero value", () => {
    expect(decodeLogs(usdtLog(0n), usdtLog(1n, { data: "" }))).toEqual({
      transfers: [],
      anomalies: [],
      unparsed: 0,
    });
  });

  it.each(["REVERT", "OUT_OF_TIME", "OUT_OF_ENERGY", "TRANSFER_FAILED", "UNKNOWN", undefined])(
    "in a transaction that ended with %s are worthless",
    (receiptResult) => {
      const decoded = decodeRun({
        transaction: { contractRet: receiptResult },
        info: { receiptResult, logs: [usdtLog(5n)] },
      });
      expect(decoded).toEqual({ transfers: [], anomalies: [], unparsed: 0 });
    },
  );

  it("in a transaction whose verdicts contradict each other are reported, not counted", () => {
    const logs = [usdtLog(5n)];
    for (const run of [
      { info: { logs, result: "FAILED" as const } },
      { info: { logs }, transaction: { contractRet: "REVERT" } },
      { info: { logs }, transaction: { contractRet: undefined } },
    ]) {
      const { transfers, anomalies } = decodeRun(run);
      expect(transfers).toEqual([]);
      expect(anomalies).toMatchObject([{ txId, eventIndex: 0, kind: "contradictory_result" }]);
    }
  });

  it("beyond int8 or of another form are reported, not counted", () => {
    const forms: [EventLog, string][] = [
      [usdtLog(2n ** 63n), "units_out_of_range"],
      [usdtLog(2n ** 256n - 1n), "units_out_of_range"],
      [usdtLog(1n, { topics: [TRANSFER, topic(payer)] }), "malformed_log"],
      [usdtLog(1n, { topics: [TRANSFER] }), "malformed_log"],
      [usdtLog(1n, { topics: [TRANSFER, topic(payer), topic(payee), word(1n)] }), "malformed_log"],
      [usdtLog(1n, { data: "01" }), "malformed_log"],
      [usdtLog(1n, { data: word(1n) + word(2n) }), "malformed_log"],
      [usdtLog(1n, { data: word(10n).toUpperCase() }), "malformed_log"],
    ];
    for (const [log, kind] of forms) {
      const decoded = decodeLogs(usdtLog(4n), log);
      expect(decoded.transfers).toHaveLength(1);
      expect(decoded.anomalies).toMatchObject([{ txId, eventIndex: 1, kind }]);
    }
  });

  it("are not the USDT contract's other events, nor events without topics", () => {
    const approval = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    const logs = [
      usdtLog(5n, { topics: [approval, topic(payer), topic(payee)] }),
      usdtLog(5n, { topics: [] }),
    ];
    expect(decodeLogs(...logs)).toEqual({ transfers: [], anomalies: [], unparsed: 0 });
  });
});

describe("TRX transfers", () => {
  const decodeNative = (units: bigint, contractRet: string | undefined) =>
    decodeRun({
      transaction: { contractRet, contract: native(units) },
      info: { receiptResult: undefined },
    }).transfers;

  it("are native transfers that succeeded", () => {
    expect(decodeNative(150_466_320n, "SUCCESS")).toEqual([
      {
        txId,
        source: "transfer",
        eventIndex: 0,
        currency: "TRX",
        fromHex: payer,
        toHex: payee,
        units: 150_466_320n,
        txExpirationMs: timeMs + 60_000,
      },
    ]);
  });

  it("are nothing when they failed, carry no verdict or no value", () => {
    expect(decodeNative(5n, "REVERT")).toEqual([]);
    expect(decodeNative(5n, undefined)).toEqual([]);
    expect(decodeNative(0n, "SUCCESS")).toEqual([]);
  });

  it("need no info, and leave out an expiration the block does not tell", () => {
    const { infos: _none, ...block } = blockOf({
      transaction: { contract: native(5n), expirationMs: undefined },
    });
    const [transfer] = decodeTransfers({ ...block, infos: [] }, USDT).transfers;
    expect(transfer?.units).toBe(5n);
    expect(transfer).not.toHaveProperty("txExpirationMs");
  });
});

describe("an incomplete block", () => {
  it("is never decoded", () => {
    const block = blockOf({});
    expect(() => decodeTransfers({ ...block, infos: [] }, USDT)).toThrow(
      "block 5 is incomplete at transaction 0",
    );
    const foreign = blockOf({ info: { txId: "cd".repeat(32) } });
    expect(() => decodeTransfers(foreign, USDT)).toThrow("incomplete");
  });
});
