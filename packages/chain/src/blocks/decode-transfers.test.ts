import { amountIn } from "@daric/domain/money";
import { usdtAt } from "@daric/testing/usdt";
import { aHeader } from "@daric/testing/witnesses";
import { contractAddress } from "@daric/tron/address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompleteBlock } from "./complete-block.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import { parseInternals } from "./parse-internal.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";
import { AnswerError } from "./read-json.ts";

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const APPROVAL = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
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
        internals: [],
        internalCount: 0,
        ...info,
      },
    ],
  };
}

/** The result of a block without transfers. */
const nothing = {
  transfers: [],
  anomalies: [],
  unsupported: [],
  callValues: [],
  sentTransactions: [],
  unparsed: 0,
  contractCalls: 1,
  internals: 0,
};

const decodeRun = (run: Run) => decodeTransfers(blockOf(run), usdtAt(USDT));
const decodeLogs = (...logs: EventLog[]) => decodeRun({ info: { logs } });
const native = (units: bigint) =>
  ({ kind: "transfer", fromHex: payer, toHex: payee, units: amountIn("TRX", units) }) as const;

describe("USDT transfers", () => {
  it("are the Transfer events of the USDT contract, keyed by their log index", () => {
    const approval = usdtLog(9n, { topics: [APPROVAL, topic(payer), topic(payee)] });
    const decoded = decodeLogs(approval, usdtLog(25_500_000n), usdtLog(1n));
    const ends = { fromHex: payer, toHex: payee, isMerkleProven: false, txExpirationMs: timeMs + 60_000 };
    const common = { txId, source: "log", currency: "USDT", contractHex: USDT, ...ends };
    expect(decoded).toEqual({
      ...nothing,
      transfers: [
        { ...common, eventIndex: 1, units: 25_500_000n },
        { ...common, eventIndex: 2, units: 1n },
      ],
    });
  });

  it("are exact up to int8, for any payer and payee", () => {
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

  it("are found in runs, and in transactions that may be runs; no others have logs", () => {
    const counts = (kind: "vm" | "unknown" | "other") => {
      const decoded = decodeRun({ transaction: { contract: { kind } }, info: { logs: [usdtLog(7n)] } });
      return [decoded.transfers.length, decoded.unparsed, decoded.contractCalls];
    };
    expect(counts("vm")).toEqual([1, 0, 1]);
    expect(counts("unknown")).toEqual([1, 1, 1]);
    expect(counts("other")).toEqual([0, 0, 0]);
  });

  it("ignore the bytes above a topic's 20 address bytes, as the contract does", () => {
    const dirty = `${"0".repeat(22)}41${payee.slice(2)}`;
    const [transfer] = decodeLogs(usdtLog(3n, { topics: [TRANSFER, topic(payer), dirty] })).transfers;
    expect(transfer?.toHex).toBe(payee);
  });

  it("never have zero value", () => {
    expect(decodeLogs(usdtLog(0n), usdtLog(1n, { data: "" }))).toEqual(nothing);
  });

  it.each(["REVERT", "OUT_OF_TIME", "OUT_OF_ENERGY", "TRANSFER_FAILED", "UNKNOWN", undefined])(
    "in a transaction that ended with %s are worthless",
    (receiptResult) => {
      const decoded = decodeRun({
        transaction: { contractRet: receiptResult },
        info: { receiptResult, logs: [usdtLog(5n)] },
      });
      expect(decoded).toEqual({ ...nothing, contractCalls: 0 });
    },
  );

  it("of a transaction with contradictory verdicts are reported as anomalies and not counted", () => {
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

  it("beyond int8 or malformed are reported as anomalies and not counted", () => {
    const forms: [EventLog, string][] = [
      [usdtLog(2n ** 63n), "units_out_of_range"],
      [usdtLog(2n ** 256n - 1n), "units_out_of_range"],
      [usdtLog(1n, { topics: [TRANSFER, topic(payer)] }), "malformed_log"],
      [usdtLog(1n, { topics: [TRANSFER] }), "malformed_log"],
      [usdtLog(1n, { topics: [TRANSFER, topic(payer).replace(/.$/, "g"), topic(payee)] }), "malformed_log"],
      [usdtLog(1n, { topics: [TRANSFER, topic(payer), topic(payee).replace(/.$/, "g")] }), "malformed_log"],
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

  it("exclude the USDT contract's other events, and events without topics", () => {
    const logs = [
      usdtLog(5n, { topics: [APPROVAL, topic(payer), topic(payee)] }),
      usdtLog(5n, { topics: [] }),
    ];
    expect(decodeLogs(...logs)).toEqual(nothing);
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
        isMerkleProven: true,
        txExpirationMs: timeMs + 60_000,
      },
    ]);
  });

  it("exclude failed ones, those without a verdict, and those of zero", () => {
    expect(decodeNative(5n, "REVERT")).toEqual([]);
    expect(decodeNative(5n, undefined)).toEqual([]);
    expect(decodeNative(0n, "SUCCESS")).toEqual([]);
  });

  it("need no info, and have no expiration if the block has none", () => {
    const { infos: _none, ...block } = blockOf({
      transaction: { contract: native(5n), expirationMs: undefined },
    });
    const [transfer] = decodeTransfers({ ...block, infos: [] }, usdtAt(USDT)).transfers;
    expect(transfer?.units).toBe(5n);
    expect(transfer?.txExpirationMs).toBeUndefined();
  });
});

describe("a Merkle-proven log", () => {
  const third = `41${"44".repeat(20)}`;
  const call = (dataHex: string, contractHex = USDT): Run => ({
    transaction: { contract: { kind: "vm", call: { ownerHex: payer, contractHex, dataHex } } },
  });
  const areMerkleProven = (run: Run, ...logs: EventLog[]) =>
    decodeRun({ ...run, info: { logs } }).transfers.map(({ isMerkleProven }) => isMerkleProven);
  const transferCall = `a9059cbb${topic(payee)}${word(10n)}`;

  it("belongs to a direct call of transfer, with its payer and payee", () => {
    expect(areMerkleProven(call(transferCall), usdtLog(10n))).toEqual([true]);
  });

  it("belongs to a direct call of transferFrom, whose first argument is the payer", () => {
    const transferFrom = `23b872dd${topic(third)}${topic(payee)}${word(10n)}`;
    const thirdLog = usdtLog(10n, { topics: [TRANSFER, topic(third), topic(payee)] });
    expect(areMerkleProven(call(transferFrom), thirdLog, usdtLog(10n))).toEqual([true, false]);
  });

  it("is the payment, not the token fee to another address", () => {
    const fee = usdtLog(1n, { topics: [TRANSFER, topic(payer), topic(third)] });
    expect(areMerkleProven(call(transferCall), usdtLog(9n), fee)).toEqual([true, false]);
  });

  it("is one only: a second log to the payee is unproven", () => {
    expect(areMerkleProven(call(transferCall), usdtLog(9n), usdtLog(1n))).toEqual([true, false]);
  });

  it("may belong to a call with a dirty address, or with extra bytes", () => {
    const dirty = `a9059cbb${"0".repeat(22)}41${payee.slice(2)}${word(10n)}${"ff".repeat(7)}`;
    expect(areMerkleProven(call(dirty), usdtLog(10n))).toEqual([true]);
  });

  it("never belongs to a call of another contract or function, or to a creation", () => {
    expect(areMerkleProven(call(transferCall, third), usdtLog(10n))).toEqual([false]);
    expect(areMerkleProven(call(transferCall.replace("a9059cbb", "a9059cbc")), usdtLog(10n))).toEqual([
      false,
    ]);
    expect(areMerkleProven(call(""), usdtLog(10n))).toEqual([false]);
    expect(areMerkleProven({}, usdtLog(10n))).toEqual([false]);
  });
});

describe("TRX sent by contracts", () => {
  const contractHex = `41${"55".repeat(20)}`;
  const internal = (change: object) => ({
    note: Buffer.from("call").toString("hex"),
    caller_address: contractHex,
    transferTo_address: payee,
    callValueInfo: [{ callValue: 4_000_000 }],
    ...change,
  });
  const decodeInternals = (list: object[], run: Run = {}) =>
    decodeRun({
      ...run,
      info: { internals: parseInternals(list), internalCount: list.length, ...run.info },
    });

  it.each(["call", "create", "suicide"])("in a %s is a transfer, keyed by its index", (kind) => {
    const note = Buffer.from(kind).toString("hex");
    const decoded = decodeInternals([internal({ callValueInfo: [{}] }), internal({ note })]);
    expect(decoded).toEqual({
      ...nothing,
      internals: 2,
      transfers: [
        {
          txId,
          source: "internal",
          eventIndex: 1,
          currency: "TRX",
          fromHex: contractHex,
          toHex: payee,
          units: 4_000_000n,
          isMerkleProven: false,
          txExpirationMs: timeMs + 60_000,
        },
      ],
    });
  });

  it("has the same index on nodes that save stakes and votes and on others", () => {
    const stake = internal({ note: Buffer.from("freezeBalanceV2ForEnergy").toString("hex") });
    const { transfers } = decodeInternals([stake, internal({})]);
    expect(transfers).toMatchObject([{ source: "internal", eventIndex: 0 }]);
  });

  it.each([
    "withdrawExpireUnfreezeWhileSuiciding",
    "withdrawExpireUnfreeze",
    "withdrawReward",
    "freezeBalanceV2ForEnergy",
    "delegateResourceOfEnergy",
    "unDelegateResourceOfEnergy",
    "voteWitness",
    "CALL",
    "",
  ])("excludes internal transactions with the note %j", (kind) => {
    const note = Buffer.from(kind).toString("hex");
    expect(decodeInternals([internal({ note })])).toEqual({ ...nothing, internals: 1 });
    expect(decodeInternals([internal({ note: undefined })])).toEqual({ ...nothing, internals: 1 });
  });

  it("excludes rejected internal transactions, as in a reverted inner call", () => {
    expect(decodeInternals([internal({ rejected: true })])).toEqual({ ...nothing, internals: 1 });
    expect(decodeInternals([internal({ rejected: false })]).transfers).toHaveLength(1);
  });

  it.each(["REVERT", "OUT_OF_TIME", "OUT_OF_ENERGY", undefined])(
    "is nothing in a transaction that ended with %s",
    (receiptResult) => {
      const run = { transaction: { contractRet: receiptResult }, info: { receiptResult } };
      const decoded = decodeInternals([internal({})], run);
      expect(decoded).toEqual({ ...nothing, contractCalls: 0, internals: 1 });
    },
  );

  it("is reported as an anomaly, not counted, if verdicts contradict each other", () => {
    const { transfers, anomalies } = decodeInternals([internal({})], { info: { result: "FAILED" } });
    expect(transfers).toEqual([]);
    expect(anomalies).toMatchObject([{ source: "internal", eventIndex: 0, kind: "contradictory_result" }]);
  });

  it("is separate from assets in the same internal transaction", () => {
    const callValueInfo = [{ callValue: 3 }, { callValue: 7, tokenId: "1000001" }, { tokenId: "1000002" }];
    const { transfers, unsupported } = decodeInternals([internal({ callValueInfo })]);
    expect(transfers).toMatchObject([{ units: 3n, toHex: payee }]);
    expect(unsupported).toEqual([
      {
        txId,
        source: "internal",
        eventIndex: 0,
        contractHex: "trc10:1000001",
        fromHex: contractHex,
        toHex: payee,
        rawValue: 7n,
      },
    ]);
  });

  it("beyond int8 in total is an anomaly and no transfer", () => {
    const most = "9223372036854775807";
    const callValueInfo = [{ callValue: BigInt(most) }, { callValue: 1 }];
    const { transfers, anomalies } = decodeInternals([internal({ callValueInfo })]);
    expect(transfers).toEqual([]);
    expect(anomalies).toMatchObject([{ source: "internal", eventIndex: 0, kind: "units_out_of_range" }]);
  });

  it.each([
    { rejected: "true" },
    { note: 5 },
    { caller_address: undefined },
    { transferTo_address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
    { callValueInfo: [{ callValue: -1 }] },
    { callValueInfo: [{ callValue: "4" }] },
    { callValueInfo: [{ callValue: 4, tokenId: 5 }] },
    { callValueInfo: {} },
    { callValueInfo: [null] },
  ])("is refused as %j", (change) => {
    expect(() => parseInternals([internal(change)])).toThrow(AnswerError);
  });
});

describe("a sent transaction", () => {
  const owner = { addressHex: payer, type: undefined, feeLimit: 0, bytes: 300 };
  const sentBy = (transaction: Partial<ChainTransaction>, info: Partial<TransactionInfo> = {}) =>
    decodeRun({ transaction: { owner, ...transaction }, info }).sentTransactions;

  it("is listed with its sender, also if it failed or moved nothing", () => {
    const expected = [{ txId, owner, returned: 0n }];
    expect(sentBy({})).toEqual(expected);
    expect(sentBy({ contractRet: "OUT_OF_ENERGY" }, { receiptResult: "OUT_OF_ENERGY" })).toEqual(expected);
    expect(sentBy({ contract: { kind: "other" } }, { receiptResult: undefined })).toEqual(expected);
    expect(sentBy({ owner: undefined })).toEqual([]);
  });

  it("includes the TRX that it returned, if its type may return any", () => {
    const returned = (type: number | undefined) =>
      sentBy({ owner: { ...owner, type } }, { returned: 7n }).map((transaction) => transaction.returned);
    expect([12, 13, 55, 56, 59].flatMap(returned)).toEqual([7n, 7n, 7n, 7n, 7n]);
    expect([undefined, 4, 54, 57].flatMap(returned)).toEqual([0n, 0n, 0n, 0n]);
  });

  it("includes the TRX that it stakes, like the TRX that a call carries", () => {
    const units = amountIn("TRX", 7n);
    const contract = { kind: "other", callValue: { fromHex: payer, toHex: payer, units } } as const;
    const { callValues: callValue } = decodeRun({
      transaction: { contract },
      info: { receiptResult: undefined },
    });
    expect(callValue).toMatchObject([{ fromHex: payer, toHex: payer, units: 7n, isMerkleProven: true }]);
  });
});

describe("an unsupported transfer", () => {
  const token = "33".repeat(20);

  it("is a Transfer event of another contract, of any uint256 above zero", () => {
    const other = (change: Partial<EventLog>) => usdtLog(2n ** 256n - 1n, { addressHex: token, ...change });
    const notOurs = [
      other({ topics: [TRANSFER, topic(payer), topic(payee), word(1n)] }),
      other({ topics: [TRANSFER, topic(payer)] }),
      other({ data: word(0n) }),
      other({ data: "01" }),
      other({ topics: [APPROVAL, topic(payer), topic(payee)] }),
    ];
    expect(decodeLogs(...notOurs, other({}))).toEqual({
      ...nothing,
      unsupported: [
        {
          txId,
          source: "log",
          eventIndex: 5,
          contractHex: `41${token}`,
          fromHex: payer,
          toHex: payee,
          rawValue: 2n ** 256n - 1n,
        },
      ],
    });
  });

  it.each([
    ["1000001", "trc10:1000001"],
    ["\u0000", "trc10:0x00"],
    ["a b", "trc10:0x612062"],
  ])("may be of the TRC-10 asset %j", (name, contractHex) => {
    const assetHex = Buffer.from(name).toString("hex");
    const contract = { kind: "asset", fromHex: payer, toHex: payee, rawValue: 9n, assetHex } as const;
    const run = { transaction: { contract }, info: { receiptResult: undefined } };
    expect(decodeRun(run)).toEqual({
      ...nothing,
      contractCalls: 0,
      unsupported: [
        { txId, source: "transfer", eventIndex: 0, contractHex, fromHex: payer, toHex: payee, rawValue: 9n },
      ],
    });
  });
});

describe("an incomplete block", () => {
  it("is never decoded", () => {
    const block = blockOf({});
    expect(() => decodeTransfers({ ...block, infos: [] }, usdtAt(USDT))).toThrow(
      "block 5 is incomplete at transaction 0",
    );
    const foreign = blockOf({ info: { txId: "cd".repeat(32) } });
    expect(() => decodeTransfers(foreign, usdtAt(USDT))).toThrow("incomplete");
  });
});

describe("TRX that a call carries", () => {
  const callValue = { fromHex: payer, toHex: payee, units: amountIn("TRX", 7n) };
  const run = (change: Partial<ChainTransaction>) =>
    decodeRun({ transaction: { contract: { kind: "vm", callValue }, ...change } });

  it("is a Merkle-proven call value if the call succeeds, and pays no address", () => {
    const common = { txId, source: "transfer", eventIndex: 0, currency: "TRX", isMerkleProven: true };
    expect(run({})).toEqual({
      ...nothing,
      callValues: [{ ...common, ...callValue, txExpirationMs: timeMs + 60_000 }],
    });
    expect(run({ contractRet: "REVERT" }).callValues).toEqual([]);
  });

  it("goes to the contract that the call creates", () => {
    const contract = { kind: "vm", callValue: { ...callValue, toHex: undefined } } as const;
    expect(run({ contract }).callValues).toMatchObject([{ toHex: contractAddress(txId, payer) }]);
  });
});
