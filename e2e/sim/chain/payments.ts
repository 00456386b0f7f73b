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
export type Wish = {
  readonly to: readonly string[];
  readonly units: bigint;
  readonly timeMs: number;
  readonly expirationMs: number;
  /** for a payment from one of our own addresses: emptied by hand */
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

/** A stopped contract: its verdict is in block and info alike. */
const stopped = (contractHex: string, verdict: Effect["verdict"], more: object = {}): Effect => ({
  verdict,
  info: {
    ...ran(contractHex, more),
    result: "FAILED",
    receipt: { energy_usage_total: 9_000, result: verdict },
  },
  movements: [],
});

const signed = (wish: Wish, order: Pick<Order, "type" | "value" | "valueBytes" | "effect" | "otherEffect">) =>
  signTransaction({ ...order, by: payer, timeMs: wish.timeMs, expirationMs: wish.expirationMs });

const tokenCall = (
  wish: Wish,
  parts: { data: string; logs: readonly object[]; movements: readonly MovedMoney[]; by?: string },
): SignedTransaction =>
  signed(wish, {
    type: "TriggerSmartContract",
    ...callValue(parts.by ?? wish.fromHex ?? payer.addressHex, usdtHex, { data: parts.data }),
    effect: { verdict: "SUCCESS", info: ran(usdtHex, { log: parts.logs }), movements: parts.movements },
    otherEffect: stopped(usdtHex, "REVERT"),
  });

function direct(wish: Wish): SignedTransaction {
  const [from, to] = [wish.fromHex ?? payer.addressHex, wish.to[0]!];
  const logs = [log(usdtHex, from, to, wish.units)];
  return tokenCall(wish, {
    data: callData(TRANSFER, to, wish.units),
    logs,
    movements: [usdt(0, from, to, wish.units)],
  });
}

function withTokenFee(wish: Wish): SignedTransaction {
  const [from, to, owner] = [payer.addressHex, wish.to[0]!, otherAddressHex("owner of the token")];
  const fee = wish.units / 500n;
  return tokenCall(wish, {
    data: callData(TRANSFER, to, wish.units + fee),
    logs: [log(usdtHex, from, to, wish.units), log(usdtHex, from, owner, fee)],
    movements: [usdt(0, from, to, wish.units)],
  });
}

function delegated(wish: Wish): SignedTransaction {
  const [from, to] = [otherAddressHex("whose tokens they are"), wish.to[0]!];
  return tokenCall(wish, {
    data: callData(TRANSFER_FROM, from, to, wish.units),
    logs: [log(usdtHex, from, to, wish.units)],
    movements: [usdt(0, from, to, wish.units)],
    by: payer.addressHex,
  });
}

/**
 * One transaction pays several addresses, one of them twice; in another block it pays them in another order
 * and other amounts.
 */
function manyAtOnce(wish: Wish): SignedTransaction {
  const payees = [...wish.to, otherAddressHex("one more payee"), wish.to[0]!];
  const effect = (to: readonly string[], units: bigint): Effect => {
    const paid = to.map((payee, index) => ({ payee, units: units + BigInt(index) }));
    return {
      verdict: "SUCCESS",
      info: ran(routerHex, {
        log: [
          { address: routerHex.slice(2), topics: ["ab".repeat(32)] },
          ...paid.map(({ payee, units }) => log(usdtHex, routerHex, payee, units)),
        ],
      }),
      movements: paid.map(({ payee, units }, index) => usdt(index + 1, routerHex, payee, units)),
    };
  };
  return signed(wish, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, routerHex, { data: callData(MULTISEND, wish.units) }),
    effect: effect(payees, wish.units),
    otherEffect: effect([...payees].reverse(), wish.units + 70_000n),
  });
}

function native(wish: Wish): SignedTransaction {
  const [from, to] = [wish.fromHex ?? payer.addressHex, wish.to[0]!];
  const movement = { source: "transfer", eventIndex: 0, currency: "TRX", fromHex: from, toHex: to } as const;
  return signed(wish, {
    type: "TransferContract",
    ...transferValue(from, to, wish.units),
    effect: {
      verdict: "SUCCESS",
      info: { receipt: { net_usage: 268 } },
      movements: [{ ...movement, units: wish.units }],
    },
  });
}

/** TRX from a contract: by a call, at a creation, by a self-destruct; with lookalikes. */
function byContract(wish: Wish): SignedTransaction {
  const to = wish.to[0]!;
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
    entry(CALL, wish.units, { rejected: true }),
    entry(CALL, wish.units),
    entry(CALL, 5_000_000n, { callValueInfo: [{ callValue: 5_000_000, tokenId: "1002000" }] }),
    entry(CREATE, wish.units + 1n),
    entry(STAKE, 7_000_000n),
    entry(SUICIDE, wish.units + 2n),
  ];
  const paid = [2, 4, 5].map((eventIndex, index) => ({
    source: "internal" as const,
    eventIndex,
    currency: "TRX" as const,
    fromHex: routerHex,
    toHex: to,
    units: wish.units + BigInt(index),
  }));
  return signed(wish, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, routerHex, {
      data: callData(MULTISEND, wish.units),
      sun: wish.units * 4n,
    }),
    effect: {
      verdict: "SUCCESS",
      info: ran(routerHex, { internal_transactions: internals }),
      movements: paid,
    },
    otherEffect: stopped(routerHex, "REVERT", {
      internal_transactions: internals.map((one) => ({ ...one, rejected: true })),
    }),
  });
}

/** Runs out of time but keeps its log, which counts for nothing. */
function outOfTime(wish: Wish): SignedTransaction {
  const to = wish.to[0]!;
  return signed(wish, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, usdtHex, { data: callData(TRANSFER, to, wish.units) }),
    effect: stopped(usdtHex, "OUT_OF_TIME", { log: [log(usdtHex, payer.addressHex, to, wish.units)] }),
  });
}

function otherToken(wish: Wish): SignedTransaction {
  const to = wish.to[0]!;
  return signed(wish, {
    type: "TriggerSmartContract",
    ...callValue(payer.addressHex, otherTokenHex, { data: callData(TRANSFER, to, wish.units) }),
    effect: {
      verdict: "SUCCESS",
      info: ran(otherTokenHex, { log: [log(otherTokenHex, payer.addressHex, to, wish.units)] }),
      movements: [],
    },
  });
}

const nothing: Effect = { verdict: "SUCCESS", info: { receipt: { net_usage: 280 } }, movements: [] };

/** A Transfer event of zero (address poisoning): nothing moves. */
function ofZero(wish: Wish): SignedTransaction {
  return tokenCall(wish, {
    data: callData(TRANSFER_FROM, otherAddressHex("a victim"), wish.to[0]!, 0n),
    logs: [log(usdtHex, otherAddressHex("a victim"), wish.to[0]!, 0n)],
    movements: [],
    by: payer.addressHex,
  });
}

const asset = (wish: Wish): SignedTransaction =>
  signed(wish, {
    type: "TransferAssetContract",
    ...assetValue(payer.addressHex, wish.to[0]!, wish.units),
    effect: nothing,
  });

const energy = (wish: Wish): SignedTransaction =>
  signed(wish, {
    type: "DelegateResourceContract",
    ...delegationValue(payer.addressHex, wish.to[0]!, wish.units),
    effect: nothing,
  });

/** The ways in which USDT and TRX arrive, with lookalikes, by their names in the trace. */
export const waysOfUsdt = { direct, withTokenFee, delegated, manyAtOnce };
export const waysOfTrx = { native, byContract };
export const waysOfNothing = { outOfTime, otherToken, ofZero, asset, energy };
