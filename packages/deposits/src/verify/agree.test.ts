import { amountIn } from "@daric/domain/money";
import {
  ALSO_OURS,
  aNodeAnswer,
  answers,
  aPayment,
  NOTHING,
  OTHER_TX,
  OURS,
  TX,
} from "@daric/testing/node-answers";
import { describe, expect, it } from "vitest";
import type { Outflow } from "../record/outflow-store.ts";
import type { ObservedTransfer } from "../store.ts";
import { type NodeAnswer, reportStored, resolveQuorum, type StoredDeposit } from "./agree.ts";

const idsOf = (deposits: readonly StoredDeposit[]) => deposits.map(({ id }) => id);
const amountsOf = (result: readonly { deposit: StoredDeposit }[]) =>
  result.map(({ deposit }) => Number(deposit.amount));

describe("one transaction", () => {
  const paid = aPayment();
  const bent = aPayment({ units: 35 });

  it("passes a deposit that enough nodes report alike, and names these nodes", () => {
    const result = resolveQuorum([paid], answers([paid], [paid], [bent]), { needed: 2 });
    expect(result.passed).toEqual([{ deposit: paid, nodes: ["a", "b"] }]);
    expect(result).toMatchObject({ contradicted: [], waiting: [], noMajority: [] });
    expect(result.outvoted).toEqual([
      { node: "c", txId: TX, said: "0.000035 USDT to …gUAF", agreed: "0.000005 USDT to …gUAF" },
    ]);
  });

  it("contradicts a false stored amount and passes the true one of the same deposit", () => {
    const result = resolveQuorum([bent], answers([bent], [paid], [paid]), { needed: 2 });
    expect(idsOf(result.contradicted)).toEqual([bent.id]);
    expect(result.passed).toEqual([{ deposit: paid, nodes: ["b", "c"] }]);
    expect(result.agreed.observed).toEqual([paid]);
  });

  it("passes a payment that the database lacks", () => {
    const result = resolveQuorum([], answers([], [paid], [paid]), { needed: 2 });
    expect(result.agreed.observed).toEqual([paid]);
    expect(result.outvoted).toMatchObject([{ node: "a", txId: TX, said: "no payment" }]);
  });

  it("contradicts a log that enough nodes do not report", () => {
    const result = resolveQuorum([paid], answers([paid], [], []), { needed: 2 });
    expect(idsOf(result.contradicted)).toEqual([paid.id]);
    expect(result.passed).toEqual([]);
  });

  it("waits while fewer nodes than needed agree, and describes each answer", () => {
    const result = resolveQuorum([paid], answers([paid], [bent]), { needed: 2 });
    expect(result).toMatchObject({ passed: [], contradicted: [], outvoted: [] });
    expect(result.waiting).toEqual([
      {
        deposit: paid,
        detail: `2 nodes must agree on it; a: 5 units of USDT to ${OURS}; b: 35 units of USDT to ${OURS}`,
      },
    ]);
  });

  it("waits if two answers have enough votes each", () => {
    const result = resolveQuorum([paid], answers([paid], [paid], [bent], [bent]), { needed: 2 });
    expect(result).toMatchObject({ passed: [], contradicted: [], noMajority: [], outvoted: [] });
    expect(amountsOf(result.waiting)).toEqual([5]);
  });

  it("returns a payment that the database lacks as one without a majority if no answer has enough votes", () => {
    const result = resolveQuorum([], answers([paid], []), { needed: 2 });
    expect(result.noMajority).toEqual([paid]);
    expect(result.waiting).toMatchObject([
      { deposit: paid, detail: expect.stringContaining("b: no payment") },
    ]);
    expect(result.agreed.observed).toEqual([]);
  });

  it("does not contradict a stored deposit by an amount that too few nodes report", () => {
    const result = resolveQuorum([paid], answers([paid], [bent]), { needed: 2 });
    expect(result.noMajority).toEqual([]);
  });

  it("delays no other transaction by a dispute about it", () => {
    const elsewhere = aPayment({ txId: OTHER_TX });
    const result = resolveQuorum([paid, elsewhere], answers([paid, elsewhere], [bent, elsewhere]), {
      needed: 2,
    });
    expect(idsOf(result.passed.map(({ deposit }) => deposit))).toEqual([elsewhere.id]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([paid.id]);
  });

  it("delays no log by a dispute about internal transfers of the same transaction", () => {
    const internal = aPayment({ source: "internal" });
    const result = resolveQuorum([paid, internal], answers([paid, internal], [paid]), { needed: 2 });
    expect(idsOf(result.passed.map(({ deposit }) => deposit))).toEqual([paid.id]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("agrees on outflows and unsupported tokens as on payments", () => {
    const beside = { merchantId: paid.merchantId, chargeId: paid.chargeId, txId: TX, source: "log" } as const;
    const outflow: Outflow = {
      ...beside,
      eventIndex: 1,
      address: OURS,
      toAddress: ALSO_OURS,
      isMerkleProven: false,
      currency: "USDT",
      units: amountIn("USDT", 3n),
    };
    const answered = { ...NOTHING, outflows: [outflow] };
    const nodes = ["a", "b"].map((node) => aNodeAnswer(node, [], { matches: answered }));
    expect(resolveQuorum([], [...nodes, aNodeAnswer("c", [])], { needed: 2 }).agreed.outflows).toEqual([
      outflow,
    ]);
    expect(
      resolveQuorum([], [aNodeAnswer("a", [], { matches: answered }), aNodeAnswer("c", [])], { needed: 2 })
        .agreed.outflows,
    ).toEqual([]);
  });
});

describe("an internal transfer", () => {
  const internal = aPayment({ source: "internal" });

  it("waits, and is never contradicted, if any number of nodes do not report it", () => {
    const result = resolveQuorum([internal], answers([], [], []), { needed: 2 });
    expect(result.contradicted).toEqual([]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("is contradicted if every node denies it, and only then", () => {
    const storing = { storesInternals: true };
    const lacking = { storesInternals: false, lacking: new Set([internal.id]) };
    const deny = (...changes: Partial<NodeAnswer>[]) =>
      idsOf(
        resolveQuorum(
          [internal],
          changes.map((change, at) => aNodeAnswer("abc".charAt(at), [], change)),
          { needed: 2, nodes: 3 },
        ).contradicted,
      );
    expect(deny(storing, lacking, lacking)).toEqual([internal.id]);
    expect(deny(lacking, lacking)).toEqual([]);
    expect(deny(lacking, lacking, { storesInternals: false })).toEqual([]);
    const liar = [aNodeAnswer("a", [internal]), aNodeAnswer("b", [], lacking), aNodeAnswer("c", [], lacking)];
    const result = resolveQuorum([internal], liar, { needed: 2, nodes: 3 });
    expect(result).toMatchObject({ contradicted: [], outvoted: [{ node: "a", agreed: "no payment" }] });
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("waits with the names of the nodes that store none, and with the cure", () => {
    const without = { storesInternals: false };
    const nodes = [
      aNodeAnswer("a", [internal]),
      aNodeAnswer("b", [], without),
      aNodeAnswer("c", [], without),
    ];
    expect(resolveQuorum([internal], nodes, { needed: 2 }).waiting[0]?.detail).toMatch(
      /^2 nodes must agree on it; a: 5 units .*; b and c show no internal transaction .* vm\.saveInternalTx = true/,
    );
  });

  it("is contradicted if enough nodes report another payment at its position", () => {
    const other = aPayment({ source: "internal", address: ALSO_OURS });
    const result = resolveQuorum([internal], answers([other], [other]), { needed: 2 });
    expect(idsOf(result.contradicted)).toEqual([internal.id]);
    expect(result.agreed.observed).toEqual([other]);
  });

  it("is neither proven nor denied by a node that may not store internal transfers", () => {
    const without = { storesInternals: false };
    const denying = [
      aNodeAnswer("a", [internal]),
      aNodeAnswer("b", [], without),
      aNodeAnswer("c", [], without),
    ];
    expect(resolveQuorum([internal], denying, { needed: 1 })).toMatchObject({
      passed: [{ deposit: internal, nodes: ["a"] }],
      outvoted: [],
    });
    const answered = [aNodeAnswer("a", [internal]), aNodeAnswer("b", [internal], without)];
    expect(resolveQuorum([internal], answered, { needed: 2 }).passed).toEqual([]);
  });

  it("does not cost such a node its vote about logs", () => {
    const log = aPayment();
    const nodes = ["a", "b"].map((node) => aNodeAnswer(node, [log], { storesInternals: false }));
    expect(resolveQuorum([log], nodes, { needed: 2 }).passed).toEqual([{ deposit: log, nodes: ["a", "b"] }]);
  });
});

describe("a transfer that the root proves", () => {
  it("is not voted on if it is native", () => {
    const native = aPayment({ source: "transfer", isMerkleProven: true });
    expect(resolveQuorum([native], answers([], []), { needed: 2 })).toMatchObject({
      passed: [],
      contradicted: [],
      waiting: [],
    });
    expect(reportStored([native], answers([], []))).toBe(true);
  });

  it("is not outvoted if it is a direct call: a node that does not report it has no vote", () => {
    const direct = aPayment({ isMerkleProven: true });
    const result = resolveQuorum([direct], answers([], [], [direct]), { needed: 1 });
    expect(result.passed).toEqual([{ deposit: direct, nodes: ["c"] }]);
    const denied = resolveQuorum([direct], answers([], []), { needed: 2 });
    expect(denied.contradicted).toEqual([]);
    expect(denied.waiting).toEqual([
      { deposit: direct, detail: "2 nodes must agree on it, and none has reported it yet" },
    ]);
  });

  it("leaves the fee of a direct call to the vote", () => {
    const [whole, less] = [
      aPayment({ units: 100, isMerkleProven: true }),
      aPayment({ units: 98, isMerkleProven: true }),
    ];
    const result = resolveQuorum([less], answers([less], [whole], [whole]), { needed: 2 });
    expect(result.agreed.observed).toEqual([whole]);
  });

  it("costs a node that contradicts the bytes of a transaction its vote on this one alone", () => {
    const [one, two] = [aPayment(), aPayment({ txId: OTHER_TX })];
    const contradicting = new Set([TX]);
    const result = resolveQuorum(
      [one, two],
      [aNodeAnswer("a", [one, two]), aNodeAnswer("b", [one, two], { contradicting })],
      { needed: 2 },
    );
    expect(idsOf(result.passed.map(({ deposit }) => deposit))).toEqual([two.id]);
  });
});

describe("reportStored", () => {
  const paid = aPayment();

  it.each<[string, ObservedTransfer[], ObservedTransfer[], boolean]>([
    ["the same payments", [paid], [paid], true],
    ["nothing of nothing", [], [], true],
    ["another amount", [paid], [aPayment({ units: 6 })], false],
    ["another address", [paid], [aPayment({ address: ALSO_OURS })], false],
    ["one payment less", [paid], [], false],
    ["one payment more", [paid], [paid, aPayment({ eventIndex: 1 })], false],
  ])("compares a node's answer with the stored deposits: %s", (_what, stored, reported, isAlike) => {
    expect(reportStored(stored, answers(stored, reported))).toBe(isAlike);
  });
});
