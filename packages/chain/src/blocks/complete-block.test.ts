import { blockAnswer, transactionAnswer } from "@daric/testing/block-answer";
import { usdtAt } from "@daric/testing/usdt";
import { addressWord, uintWord } from "@daric/tron/abi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIncompleteness } from "./complete-block.ts";
import { type ProvableBlock, parseBlock } from "./parse-block.ts";
import { parseTransactionInfos } from "./parse-transaction-info.ts";

const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const payer = `41${"11".repeat(20)}`;
const payee = `41${"22".repeat(20)}`;
const owner = `41${"33".repeat(20)}`;
const timeMs = 1_735_689_600_000;

type Log = { address?: string; from?: string; to?: string; units: bigint };
type ReportedBlockParts = {
  data: string;
  logs?: readonly Log[];
  contract?: string;
  result?: "SUCCESS" | "REVERT";
};

/** Why a block with one call of this data and these logs is not complete. */
function faultOf({
  data,
  logs = [],
  contract = USDT,
  result = "SUCCESS",
}: ReportedBlockParts): string | undefined {
  const transaction = transactionAnswer(
    { type: "TriggerSmartContract", from: payer, contract, data },
    { contractRet: result },
  );
  const info = {
    id: transaction.txID,
    blockNumber: 5,
    blockTimeStamp: timeMs,
    receipt: { result },
    log: logs.map(({ address = USDT, from = payer, to = payee, units }) => ({
      address: address.slice(2),
      topics: [TRANSFER, addressWord(from), addressWord(to)],
      data: uintWord(units),
    })),
  };
  const block = parseBlock(blockAnswer({ number: 5, timeMs, transactions: [transaction] }));
  if (block === undefined) throw new Error("there is no block");
  const fault = findIncompleteness(block, parseTransactionInfos([info]), usdtAt(USDT));
  return fault?.reason.replace(transaction.txID, "ID");
}

const transferOf = (units: bigint, word = addressWord(payee)) => `a9059cbb${word}${uintWord(units)}`;
const mismatchOf = (sent: bigint, called: bigint) =>
  `the info of transaction ID says that its payer sent ${sent} units where the call says ${called}`;

const FOREIGN = "logs that a direct call of the token cannot have";
const REDIRECTED = "it paid another address than the call names";

describe("the logs of a direct call of USDT", () => {
  it("pay the payee and perhaps a token fee, and add up to the call's amount", () => {
    const units = fc.bigInt({ min: 1n, max: 2n ** 62n - 1n });
    fc.assert(
      fc.property(units, (all) => {
        const fee = all / 50n;
        const logs = [{ units: all - fee }, { to: owner, units: fee }];
        expect(faultOf({ data: transferOf(all), logs })).toBeUndefined();
        expect(faultOf({ data: transferOf(all + 1n), logs })).toBe(mismatchOf(all, all + 1n));
      }),
      { numRuns: 50 },
    );
  });

  it("must be there: a payment cannot be hidden, doubled, or be another payer's", () => {
    const data = transferOf(10n);
    expect(faultOf({ data })).toBe(mismatchOf(0n, 10n));
    expect(faultOf({ data, logs: [{ units: 10n }, { units: 10n }] })).toBe(mismatchOf(20n, 10n));
    expect(faultOf({ data, logs: [{ from: owner, units: 10n }] })).toContain(FOREIGN);
    expect(faultOf({ data, logs: [{ address: owner, units: 10n }] })).toContain(FOREIGN);
  });

  it("cannot be redirected to another payee, in full or in part", () => {
    const data = transferOf(100n);
    expect(faultOf({ data, logs: [{ to: owner, units: 100n }] })).toContain(REDIRECTED);
    expect(faultOf({ data, logs: [{ units: 1n }, { to: owner, units: 99n }] })).toContain(REDIRECTED);
    expect(faultOf({ data, logs: [{ units: 97n }, { to: owner, units: 3n }] })).toContain(REDIRECTED);
    expect(faultOf({ data, logs: [{ to: owner, units: 3n }, { units: 97n }] })).toContain(REDIRECTED);
  });

  it("may list the token's fee before the payment", () => {
    const data = transferOf(100n);
    expect(faultOf({ data, logs: [{ to: owner, units: 2n }, { units: 98n }] })).toBeUndefined();
    expect(faultOf({ data, logs: [{ units: 0n }, { units: 100n }] })).toBeUndefined();
  });

  it("are of the token alone, two at most", () => {
    const data = transferOf(100n);
    expect(faultOf({ data, logs: [{ address: owner, units: 0n }, { units: 100n }] })).toContain(FOREIGN);
    expect(faultOf({ data, logs: [{ units: 98n }, { units: 1n }, { units: 1n }] })).toContain(FOREIGN);
  });

  it("are of transferFrom's first argument, whatever the caller", () => {
    const data = `23b872dd${addressWord(owner)}${addressWord(payee)}${uintWord(10n)}`;
    expect(faultOf({ data, logs: [{ from: owner, units: 10n }] })).toBeUndefined();
    expect(faultOf({ data, logs: [{ units: 10n }] })).toContain(FOREIGN);
  });

  it("may be missing, or of zero, if the amount is zero", () => {
    expect(faultOf({ data: transferOf(0n) })).toBeUndefined();
    expect(faultOf({ data: transferOf(0n), logs: [{ units: 0n }] })).toBeUndefined();
  });

  it("are compared with the call as the EVM reads it: dirty addresses, extra words, missing bytes", () => {
    const logs = [{ units: 256n }];
    const dirty = `${"0".repeat(22)}41${payee.slice(2)}`;
    expect(faultOf({ data: transferOf(256n, dirty), logs })).toBeUndefined();
    expect(faultOf({ data: `${transferOf(256n)}${"ab".repeat(33)}`, logs })).toBeUndefined();
    expect(faultOf({ data: transferOf(256n).slice(0, -2), logs })).toBeUndefined();
    expect(faultOf({ data: transferOf(257n).slice(0, -2), logs })).toBeUndefined();
    expect(faultOf({ data: "a9059cbb" })).toBeUndefined();
  });

  it("are not compared if the call failed, or is of another contract or function", () => {
    expect(faultOf({ data: transferOf(10n), result: "REVERT" })).toBeUndefined();
    expect(faultOf({ data: transferOf(10n), contract: owner })).toBeUndefined();
    expect(faultOf({ data: `095ea7b3${addressWord(payee)}${uintWord(10n)}` })).toBeUndefined();
    expect(faultOf({ data: "", logs: [{ units: 10n }] })).toBeUndefined();
    expect(faultOf({ data: "a9059c" })).toBeUndefined();
  });
});

describe("a malformed info", () => {
  it.each<[string, object, string]>([
    ["a log without an address", { log: [{ topics: [], data: "" }] }, "log.address is not 20 bytes in hex"],
    ["an unknown verdict", { result: "MAYBE" }, "result is neither FAILED nor SUCESS"],
    ["a block without a time", { blockTimeStamp: 0 }, "blockTimeStamp is no time"],
  ])("is refused with its transaction: %s", (_name, fault, message) => {
    const id = "ab".repeat(32);
    const read = () => parseTransactionInfos([{ id, blockNumber: 5, blockTimeStamp: timeMs, ...fault }]);
    expect(read).toThrow(`info of transaction ${id}: ${message}`);
  });
});

it("a verdict has one form: a known number in place of its name is refused", () => {
  const sent = transactionAnswer({ type: "TransferContract", from: payer, to: payee, amount: 5n });
  const reported = blockAnswer({ number: 5, timeMs, transactions: [sent] });
  expect(findIncompleteness(parseBlock(reported) as ProvableBlock, [], usdtAt(USDT))).toBeUndefined();
  for (const alias of ["contractResult_1", "contractResult_01"]) {
    const ret = [{ contractRet: `UNKNOWN_ENUM_VALUE_${alias}` }];
    reported.transactions = reported.transactions.map((transaction) => ({ ...transaction, ret }));
    expect(findIncompleteness(parseBlock(reported) as ProvableBlock, [], usdtAt(USDT))?.reason).toContain(
      "is not known",
    );
  }
});

describe("a block that an operator may override", () => {
  const call = () =>
    transactionAnswer({ type: "TriggerSmartContract", from: payer, contract: USDT, data: transferOf(5n) });
  const infoOf = (id: string, more: object = {}) => ({
    ...{ id, blockNumber: 5, blockTimeStamp: timeMs, receipt: { result: "SUCCESS" } },
    log: [
      {
        address: USDT.slice(2),
        topics: [TRANSFER, addressWord(payer), addressWord(payee)],
        data: uintWord(5n),
      },
    ],
    ...more,
  });
  const checksOf = (change: (block: ReturnType<typeof blockAnswer>) => void, more: object = {}) => {
    const block = blockAnswer({ number: 5, timeMs, transactions: [call()] });
    const [{ txID: id } = { txID: "" }] = block.transactions;
    change(block);
    const infos = parseTransactionInfos([infoOf(id, more)]);
    return findIncompleteness(parseBlock(block) as ProvableBlock, infos, usdtAt(USDT))?.checks;
  };
  const first = (block: ReturnType<typeof blockAnswer>) => block.transactions[0] ?? expect.fail("none");

  it("has unknown results or verdicts, logs that do not match calls, or different verdicts", () => {
    expect(checksOf(() => {})).toBeUndefined();
    expect(checksOf((block) => Object.assign(first(block).ret[0] ?? {}, { fee: 7 }))).toEqual(["root"]);
    expect(checksOf(() => {}, { log: [] })).toEqual(["calls"]);
    expect(checksOf(() => {}, { receipt: { result: "REVERT" } })).toEqual(["verdicts"]);
    const [later] = [{ contractRet: "NEWER" }];
    expect(checksOf((block) => Object.assign(first(block), { ret: [later] }))).toEqual(["verdicts", "root"]);
  });

  it("never has foreign ids, an info of another block, or a transaction without a verdict", () => {
    expect(checksOf((block) => Object.assign(first(block), { ret: [] }), { log: [] })).toEqual([]);
    expect(checksOf(() => {}, { log: [], blockNumber: 6 })).toEqual([]);
    const other = transactionAnswer({ type: "TransferContract", from: payer, to: payee, amount: 5n });
    const bend = (block: ReturnType<typeof blockAnswer>) =>
      Object.assign(first(block), { raw_data_hex: other.raw_data_hex });
    expect(checksOf(bend, { receipt: {}, log: [] })).toEqual([]);
  });
});
