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
import { amountIn } from "../../domain/money.ts";
import type { Outflow } from "../record/outflow-store.ts";
import type { ObservedTransfer } from "../store.ts";
import { reportStored, resolveQuorum, type StoredDeposit } from "./agree.ts";

const idsOf = (deposits: readonly StoredDeposit[]) => deposits.map(({ id }) => id);
const amountsOf = (result: readonly { deposit: StoredDeposit }[]) =>
  result.map(({ deposit }) => Number(deposit.amount));

describe("one transaction", () => {
  const paid = aPayment();
  const bent = aPayment({ units: 35 });

  it("passes what enough nodes tell alike, and names these nodes", () => {
    const result = resolveQuorum([paid], answers([paid], [paid], [bent]), 2);
    expect(result.passed).toEqual([{ deposit: paid, nodes: ["a", "b"] }]);
    expect(result).toMatchObject({ contradicted: [], waiting: [], noMajority: [] });
    expect(result.outvoted).toEqual([{ node: "c", txId: TX }]);
  });

  it("refutes a false amount of the books and passes the true one of the same deposit", () => {
    const result = resolveQuorum([bent], answers([bent], [paid], [paid]), 2);
    expect(idsOf(result.contradicted)).toEqual([bent.id]);
    expect(result.passed).toEqual([{ deposit: paid, nodes: ["b", "c"] }]);
    expect(result.agreed.observed).toEqual([paid]);
  });

  it("passes a payment that the books lack", () => {
    const result = resolveQuorum([], answers([], [paid], [paid]), 2);
    expect(result.agreed.observed).toEqual([paid]);
    expect(result.outvoted).toEqual([{ node: "a", txId: TX }]);
  });

  it("refutes a log that enough nodes do not tell", () => {
    const result = resolveQuorum([paid], answers([paid], [], []), 2);
    expect(idsOf(result.contradicted)).toEqual([paid.id]);
    expect(result.passed).toEqual([]);
  });

  it("waits while fewer nodes than needed tell anything alike, and says what each tells", () => {
    const result = resolveQuorum([paid], answers([paid], [bent]), 2);
    expect(result).toMatchObject({ passed: [], contradicted: [], outvoted: [] });
    expect(result.waiting).toEqual([
      {
        deposit: paid,
        detail: `2 nodes must agree on it; a: 5 units of USDT to ${OURS}; b: 35 units of USDT to ${OURS}`,
      },
    ]);
  });

  it("waits where two answers have enough votes each", () => {
    const result = resolveQuorum([paid], answers([paid], [paid], [bent], [bent]), 2);
    expect(result).toMatchObject({ passed: [], contradicted: [], noMajority: [], outvoted: [] });
    expect(amountsOf(result.waiting)).toEqual([5]);
  });

  it("records a payment that the database lacks as without a majority where no answer has enough votes", () => {
    const result = resolveQuorum([], answers([paid], []), 2);
    expect(result.noMajority).toEqual([paid]);
    expect(result.waiting).toMatchObject([
      { deposit: paid, detail: expect.stringContaining("b: no payment") },
    ]);
    expect(result.agreed.observed).toEqual([]);
  });

  it("does not dispute a deposit of the books for an amount of which too few nodes speak", () => {
    const result = resolveQuorum([paid], answers([paid], [bent]), 2);
    expect(result.noMajority).toEqual([]);
  });

  it("holds up no other transaction by what nodes dispute in it", () => {
    const elsewhere = aPayment({ txId: OTHER_TX });
    const result = resolveQuorum([paid, elsewhere], answers([paid, elsewhere], [bent, elsewhere]), 2);
    expect(idsOf(result.passed.map(({ deposit }) => deposit))).toEqual([elsewhere.id]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([paid.id]);
  });

  it("holds up no log by internal transfers that nodes dispute in the same transaction", () => {
    const internal = aPayment({ source: "internal" });
    const result = resolveQuorum([paid, internal], answers([paid, internal], [paid]), 2);
    expect(idsOf(result.passed.map(({ deposit }) => deposit))).toEqual([paid.id]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("agrees on what left our addresses and on foreign tokens as on payments", () => {
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
    expect(resolveQuorum([], [...nodes, aNodeAnswer("c", [])], 2).agreed.outflows).toEqual([outflow]);
    expect(
      resolveQuorum([], [aNodeAnswer("a", [], { matches: answered }), aNodeAnswer("c", [])], 2).agreed
        .outflows,
    ).toEqual([]);
  });
});

describe("an internal transfer", () => {
  const internal = aPayment({ source: "internal" });

  it("waits, and is never contradicted, where any number of nodes do not tell it", () => {
    const result = resolveQuorum([internal], answers([], [], []), 2);
    expect(result.contradicted).toEqual([]);
    expect(idsOf(result.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("is contradicted where enough nodes tell another payment in its place", () => {
    const other = aPayment({ source: "internal", address: ALSO_OURS });
    const result = resolveQuorum([internal], answers([other], [other]), 2);
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
    expect(resolveQuorum([internal], denying, 1)).toMatchObject({
      passed: [{ deposit: internal, nodes: ["a"] }],
      outvoted: [],
    });
    const answered = [aNodeAnswer("a", [internal]), aNodeAnswer("b", [internal], without)];
    expect(resolveQuorum([internal], answered, 2).passed).toEqual([]);
  });

  it("leaves such a node its vote about logs", () => {
    const log = aPayment();
    const nodes = ["a", "b"].map((node) => aNodeAnswer(node, [log], { storesInternals: false }));
    expect(resolveQuorum([log], nodes, 2).passed).toEqual([{ deposit: log, nodes: ["a", "b"] }]);
  });
});

describe("what the root proves", () => {
  it("is not voted on where it is a native transfer", () => {
    const native = aPayment({ source: "transfer", isMerkleProven: true });
    expect(resolveQuorum([native], answers([], []), 2)).toMatchObject({
      passed: [],
      contradicted: [],
      waiting: [],
    });
    expect(reportStored([native], answers([], []))).toBe(true);
  });

  it("is not voted away where it is a direct call: a node that does not tell it has no vote", () => {
    const direct = aPayment({ isMerkleProven: true });
    const result = resolveQuorum([direct], answers([], [], [direct]), 1);
    expect(result.passed).toEqual([{ deposit: direct, nodes: ["c"] }]);
    const denied = resolveQuorum([direct], answers([], []), 2);
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
    const result = resolveQuorum([less], answers([less], [whole], [whole]), 2);
    expect(result.agreed.observed).toEqual([whole]);
  });

  it("takes the vote of a node about a transaction that it tells otherwise than its bytes, and about no other", () => {
    const [one, two] = [aPayment(), aPayment({ txId: OTHER_TX })];
    const contradicting = new Set([TX]);
    const result = resolveQuorum(
      [one, two],
      [aNodeAnswer("a", [one, two]), aNodeAnswer("b", [one, two], { contradicting })],
      2,
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
  ])("compares what a node tells with the books: %s", (_what, stored, reported, isAlike) => {
    expect(reportStored(stored, answers(stored, reported))).toBe(isAlike);
  });
});
