import { wordOf } from "./bytes.ts";
import { keyOf } from "./keys.ts";
import {
  assetValue,
  callData,
  callValue,
  delegationValue,
  type Effect,
  type MovedMoney,
  type Order,
  otherAddressHex,
  type SignedTransaction,
  signTransaction,
  transferValue,
} from "./transactions.ts";

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER_EVENT = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const [TRANSFER, TRANSFER_FROM, MULTISEND] = ["a9059cbb", "23b872dd", "0b66f3f5"] as const;
const [CALL, CREATE, SUICIDE] = ["63616c6c", "637265617465", "73756963696465"] as const;
const STAKE = Buffer.from("withdrawExpireUnfreezeWhileSuiciding").toString("hex");

export const usdtHex = keyOf("the token USDT").addressHex;
const routerHex = keyOf("a contract that pays many").addressHex;
const otherTokenHex = keyOf("another token that calls itself USDT").addressHex;

/** A payment. `to` are addresses in hex; the first receives `units`. */
export type PlannedPayment = {
  readonly to: readonly string[];
  readonly units: bigint;
  readonly timeMs: number;
  readonly expirationMs: number;
  /** the sender, for a payment from one of the service's own addresses */
  readonly fromHex?: string;
};

const payer = keyOf("a payer");

const log = (contractHex: string, from: string, to: string, units: bigint) => ({
  address: contractHex.slice(2),
  topics: [TRANSFER_EVENT, wordOf(from), wordOf(to)],
  ...(units === 0n ? {} : { data: wordOf(units) }),
});

const usdt = (eventIndex: number, fromHex: string, toHex: string, units: bigint): MovedMoney => ({
  source: "log",
  eventIndex,
  currency: "USDT",
  fromHex,
  toHex,
  units,
});

const ran = (contractHex: string, more: object = {}): object => ({
  contract_address: contractHex,
  receipt: { energy_usage_total: 64_285, net_usage: 345, result: "SUCCESS" },
  ...more,
});

/** The effect of a failed contract; block and info have the same result. */
const stopped = (contractHex: string, result: Effect["result"], more: object = {}): Effect => ({
  result,
  info: {
    ...ran(contractHex, more),
    result: "FAILED",
    receipt: { energy_usage_total: 9_000, result: result },
  },
  movements: [],
});

const signed = (
  planned: PlannedPayment,
  order: Pick<Order, "type" | "value" | "valueBytes" | "effect" | "otherEffect">,
) => signTransaction({ ...order, by: payer, timeMs: planned.timeMs, expirationMs: planned.expirationMs });

const tokenCall = (
  planned: PlannedPayment,
  parts: { data: string; logs: readonly object[]; movements: readonly MovedMoney[]; by?: string },
): SignedTransaction =>
  signed(planned, {
    type: "TriggerSmartContract",
    ...callValue(parts.by ?? planned.fromHex ?? payer.addressHex, usdtHex, { data: parts.data }),
    effect: { result: "SUCCESS", info: ran(usdtHex, { log: parts.logs }), movements: parts.movements },
    otherEffect: stopped(usdtHex, "REVERT"),
  });

function direct(planned: PlannedPayment): SignedTransaction {
  const [from, to] = [planned.fromHex ?? payer.addressHex, planned.to[0]!];
  const logs = [log(usdtHex, from, to, planned.units)];
  return tokenCall(planned, {
    data: callData(TRANSFER, to, planned.units),
    logs,
    movements: [usdt(0, from, to, planned.units)],
  });
}

function withTokenFee(planned: PlannedPayment): SignedTransaction {
  const [from, to, owner] = [payer.addressHex, planned.to[0]!, otherAddressHex("owner of the token")];
  const fee = planned.units / 500n;
  return tokenCall(planned, {
    data: callData(TRANSFER, to, planned.units + fee),
    logs: [log(usdtHex, from, to, planned.units), log(usdtHex, from, owner, fee)],
    movements: [usdt(0, from, to, planned.units)],
  });
}

function delegated(planned: PlannedPayment): SignedTransaction {
  const [from, to] = [otherAddressHex("whose tokens they are"), planned.to[0]!];
  return tokenCall(planned, {
    data: callData(TRANSFER_FROM, from, to, planned.units),
    logs: [log(usdtHex, from, to, planned.units)],
    movements: [usdt(0, from, to, planned.units)],
    by: payer.addressHex,
  });
}

/** One transaction that pays several addresses, one of them twice. In another block, order and amounts differ. */
function manyAtOnce(planned: PlannedPayment): SignedTransaction {
  const payees = [...planned.to, otherAddressHex("one more payee"), planned.to[0]!];
  const effect = (to: readonly string[], units: bigint): Effect => {
    const paid = to.map((payee, index) => ({ payee, units: units + BigInt(index) }));
    return {
      result: "SUCCESS",
      info: ran(routerHex, {
        log: [
          { address: routerHex.slice(2), topics: ["ab".repeat(32)] },
          ...paid.map(({ payee, units }) => log(usdtHex, routerHex, payee, units)),
        ],
      }),
      movements: paid.map(({ payee, units }, index) => usdt(index + 1, routerHex, payee, units)),
    };
  };
  return signed(planned, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, routerHex, { data: callData(MULTISEND, planned.units) }),
    effect: effect(payees, planned.units),
    otherEffect: effect([...payees].reverse(), planned.units + 70_000n),
  });
}

function native(planned: PlannedPayment): SignedTransaction {
  const [from, to] = [planned.fromHex ?? payer.addressHex, planned.to[0]!];
  const movement = { source: "transfer", eventIndex: 0, currency: "TRX", fromHex: from, toHex: to } as const;
  return signed(planned, {
    type: "TransferContract",
    ...transferValue(from, to, planned.units),
    effect: {
      result: "SUCCESS",
      info: { receipt: { net_usage: 268 } },
      movements: [{ ...movement, units: planned.units }],
    },
  });
}

/**
 * TRX from a contract: by a call, at its creation, or by a self-destruct; with internal transactions that move
 * nothing.
 */
function byContract(planned: PlannedPayment): SignedTransaction {
  const to = planned.to[0]!;
  const entry = (note: string, sun: bigint, more: object = {}) => ({
    hash: wordOf(sun + 1n),
    caller_address: routerHex,
    transferTo_address: to,
    callValueInfo: [sun === 0n ? {} : { callValue: Number(sun) }],
    note,
    ...more,
  });
  const internals = [
    entry(CALL, 0n),
    entry(CALL, planned.units, { rejected: true }),
    entry(CALL, planned.units),
    entry(CALL, 5_000_000n, { callValueInfo: [{ callValue: 5_000_000, tokenId: "1002000" }] }),
    entry(CREATE, planned.units + 1n),
    entry(STAKE, 7_000_000n),
    entry(SUICIDE, planned.units + 2n),
  ];
  const paid = [2, 4, 5].map((eventIndex, index) => ({
    source: "internal" as const,
    eventIndex,
    currency: "TRX" as const,
    fromHex: routerHex,
    toHex: to,
    units: planned.units + BigInt(index),
  }));
  return signed(planned, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, routerHex, {
      data: callData(MULTISEND, planned.units),
      sun: planned.units * 4n,
    }),
    effect: {
      result: "SUCCESS",
      info: ran(routerHex, { internal_transactions: internals }),
      movements: paid,
    },
    otherEffect: stopped(routerHex, "REVERT", {
      internal_transactions: internals.map((internal) => ({ ...internal, rejected: true })),
    }),
  });
}

/** Runs out of time but keeps its log, which must not be credited. */
function outOfTime(planned: PlannedPayment): SignedTransaction {
  const to = planned.to[0]!;
  return signed(planned, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, usdtHex, { data: callData(TRANSFER, to, planned.units) }),
    effect: stopped(usdtHex, "OUT_OF_TIME", { log: [log(usdtHex, payer.addressHex, to, planned.units)] }),
  });
}

function otherToken(planned: PlannedPayment): SignedTransaction {
  const to = planned.to[0]!;
  return signed(planned, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, otherTokenHex, { data: callData(TRANSFER, to, planned.units) }),
    effect: {
      result: "SUCCESS",
      info: ran(otherTokenHex, { log: [log(otherTokenHex, payer.addressHex, to, planned.units)] }),
      movements: [],
    },
  });
}

const nothing: Effect = { result: "SUCCESS", info: { receipt: { net_usage: 280 } }, movements: [] };

/** A Transfer event of zero (address poisoning): nothing moves. */
function zeroAmount(planned: PlannedPayment): SignedTransaction {
  return tokenCall(planned, {
    data: callData(TRANSFER_FROM, otherAddressHex("a victim"), planned.to[0]!, 0n),
    logs: [log(usdtHex, otherAddressHex("a victim"), planned.to[0]!, 0n)],
    movements: [],
    by: payer.addressHex,
  });
}

const asset = (planned: PlannedPayment): SignedTransaction =>
  signed(planned, {
    type: "TransferAssetContract",
    ...assetValue(payer.addressHex, planned.to[0]!, planned.units),
    effect: nothing,
  });

const energy = (planned: PlannedPayment): SignedTransaction =>
  signed(planned, {
    type: "DelegateResourceContract",
    ...delegationValue(payer.addressHex, planned.to[0]!, planned.units),
    effect: nothing,
  });

/** The kinds of payments, with lookalikes that move nothing, by their names in the trace. */
export const usdtPayments = { direct, withTokenFee, delegated, manyAtOnce };
export const trxPayments = { native, byContract };
export const lookalikes = { outOfTime, otherToken, zeroAmount, asset, energy };
