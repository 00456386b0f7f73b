import { ALSO_OURS, aPayment, aVoice, NOTHING, OTHER_TX, OURS, TX, voices } from "@daric/testing/voices";
import { describe, expect, it } from "vitest";
import { amountIn } from "../../domain/money.ts";
import type { Outflow } from "../record/outflow-store.ts";
import type { Sighting } from "../store.ts";
import { judgeVoices, type StoredDeposit, tellAlike } from "./agree.ts";

const idsOf = (deposits: readonly StoredDeposit[]) => deposits.map(({ id }) => id);
const amountsOf = (judged: readonly { deposit: StoredDeposit }[]) =>
  judged.map(({ deposit }) => Number(deposit.amount));

describe("one transaction", () => {
  const paid = aPayment();
  const bent = aPayment({ units: 35 });

  it("passes what enough nodes tell alike, and names these nodes", () => {
    const judged = judgeVoices([paid], voices([paid], [paid], [bent]), 2);
    expect(judged.passed).toEqual([{ deposit: paid, nodes: ["a", "b"] }]);
    expect(judged).toMatchObject({ refuted: [], waiting: [], disputed: [] });
    expect(judged.outvoted).toEqual([{ node: "c", txId: TX }]);
  });

  it("refutes a false amount of the books and passes the true one of the same deposit", () => {
    const judged = judgeVoices([bent], voices([bent], [paid], [paid]), 2);
    expect(idsOf(judged.refuted)).toEqual([bent.id]);
    expect(judged.passed).toEqual([{ deposit: paid, nodes: ["b", "c"] }]);
    expect(judged.agreed.sightings).toEqual([paid]);
  });

  it("passes a payment that the books lack", () => {
    const judged = judgeVoices([], voices([], [paid], [paid]), 2);
    expect(judged.agreed.sightings).toEqual([paid]);
    expect(judged.outvoted).toEqual([{ node: "a", txId: TX }]);
  });

  it("refutes a log that enough nodes do not tell", () => {
    const judged = judgeVoices([paid], voices([paid], [], []), 2);
    expect(idsOf(judged.refuted)).toEqual([paid.id]);
    expect(judged.passed).toEqual([]);
  });

  it("waits while fewer nodes than needed tell anything alike, and says what each tells", () => {
    const judged = judgeVoices([paid], voices([paid], [bent]), 2);
    expect(judged).toMatchObject({ passed: [], refuted: [], outvoted: [] });
    expect(judged.waiting).toEqual([
      {
        deposit: paid,
        detail: `2 nodes must tell it alike; a: 5 units of USDT to ${OURS}; b: 35 units of USDT to ${OURS}`,
      },
    ]);
  });

  it("waits where two answers have enough voices each", () => {
    const judged = judgeVoices([paid], voices([paid], [paid], [bent], [bent]), 2);
    expect(judged).toMatchObject({ passed: [], refuted: [], disputed: [], outvoted: [] });
    expect(amountsOf(judged.waiting)).toEqual([5]);
  });

  it("records a payment that the books lack as disputed where no answer has enough voices", () => {
    const judged = judgeVoices([], voices([paid], []), 2);
    expect(judged.disputed).toEqual([paid]);
    expect(judged.waiting).toMatchObject([
      { deposit: paid, detail: expect.stringContaining("b: no payment") },
    ]);
    expect(judged.agreed.sightings).toEqual([]);
  });

  it("does not dispute a deposit of the books for an amount of which too few nodes speak", () => {
    const judged = judgeVoices([paid], voices([paid], [bent]), 2);
    expect(judged.disputed).toEqual([]);
  });

  it("holds up no other transaction by what nodes dispute in it", () => {
    const elsewhere = aPayment({ txId: OTHER_TX });
    const judged = judgeVoices([paid, elsewhere], voices([paid, elsewhere], [bent, elsewhere]), 2);
    expect(idsOf(judged.passed.map(({ deposit }) => deposit))).toEqual([elsewhere.id]);
    expect(idsOf(judged.waiting.map(({ deposit }) => deposit))).toEqual([paid.id]);
  });

  it("holds up no log by internal transfers that nodes dispute in the same transaction", () => {
    const internal = aPayment({ source: "internal" });
    const judged = judgeVoices([paid, internal], voices([paid, internal], [paid]), 2);
    expect(idsOf(judged.passed.map(({ deposit }) => deposit))).toEqual([paid.id]);
    expect(idsOf(judged.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("agrees on what left our addresses and on foreign tokens as on payments", () => {
    const beside = { merchantId: paid.merchantId, chargeId: paid.chargeId, txId: TX, source: "log" } as const;
    const outflow: Outflow = {
      ...beside,
      eventIndex: 1,
      address: OURS,
      toAddress: ALSO_OURS,
      isCovered: false,
      currency: "USDT",
      units: amountIn("USDT", 3n),
    };
    const telling = { ...NOTHING, outflows: [outflow] };
    const nodes = ["a", "b"].map((node) => aVoice(node, [], { matches: telling }));
    expect(judgeVoices([], [...nodes, aVoice("c", [])], 2).agreed.outflows).toEqual([outflow]);
    expect(
      judgeVoices([], [aVoice("a", [], { matches: telling }), aVoice("c", [])], 2).agreed.outflows,
    ).toEqual([]);
  });
});

describe("an internal transfer", () => {
  const internal = aPayment({ source: "internal" });

  it("waits, and is never refuted, where any number of nodes do not tell it", () => {
    const judged = judgeVoices([internal], voices([], [], []), 2);
    expect(judged.refuted).toEqual([]);
    expect(idsOf(judged.waiting.map(({ deposit }) => deposit))).toEqual([internal.id]);
  });

  it("is refuted where enough nodes tell another payment in its place", () => {
    const other = aPayment({ source: "internal", address: ALSO_OURS });
    const judged = judgeVoices([internal], voices([other], [other]), 2);
    expect(idsOf(judged.refuted)).toEqual([internal.id]);
    expect(judged.agreed.sightings).toEqual([other]);
  });

  it("is told or denied by no node that is not known to store internal transfers", () => {
    const without = { storesInternals: false };
    const denying = [aVoice("a", [internal]), aVoice("b", [], without), aVoice("c", [], without)];
    expect(judgeVoices([internal], denying, 1)).toMatchObject({
      passed: [{ deposit: internal, nodes: ["a"] }],
      outvoted: [],
    });
    const telling = [aVoice("a", [internal]), aVoice("b", [internal], without)];
    expect(judgeVoices([internal], telling, 2).passed).toEqual([]);
  });

  it("leaves such a node its voice about logs", () => {
    const log = aPayment();
    const nodes = ["a", "b"].map((node) => aVoice(node, [log], { storesInternals: false }));
    expect(judgeVoices([log], nodes, 2).passed).toEqual([{ deposit: log, nodes: ["a", "b"] }]);
  });
});

describe("what the root proves", () => {
  it("is not voted on where it is a native transfer", () => {
    const native = aPayment({ source: "transfer", isCovered: true });
    expect(judgeVoices([native], voices([], []), 2)).toMatchObject({ passed: [], refuted: [], waiting: [] });
    expect(tellAlike([native], voices([], []))).toBe(true);
  });

  it("is not voted away where it is a direct call: a node that does not tell it has no voice", () => {
    const direct = aPayment({ isCovered: true });
    const judged = judgeVoices([direct], voices([], [], [direct]), 1);
    expect(judged.passed).toEqual([{ deposit: direct, nodes: ["c"] }]);
    const denied = judgeVoices([direct], voices([], []), 2);
    expect(denied.refuted).toEqual([]);
    expect(denied.waiting).toEqual([
      { deposit: direct, detail: "2 nodes must tell it alike, and none tells it yet" },
    ]);
  });

  it("leaves the fee of a direct call to the vote", () => {
    const [whole, less] = [
      aPayment({ units: 100, isCovered: true }),
      aPayment({ units: 98, isCovered: true }),
    ];
    const judged = judgeVoices([less], voices([less], [whole], [whole]), 2);
    expect(judged.agreed.sightings).toEqual([whole]);
  });

  it("takes the voice of a node about a transaction that it tells otherwise than its bytes, and about no other", () => {
    const [one, two] = [aPayment(), aPayment({ txId: OTHER_TX })];
    const strange = new Set([TX]);
    const judged = judgeVoices(
      [one, two],
      [aVoice("a", [one, two]), aVoice("b", [one, two], { strange })],
      2,
    );
    expect(idsOf(judged.passed.map(({ deposit }) => deposit))).toEqual([two.id]);
  });
});

describe("tellAlike", () => {
  const paid = aPayment();

  it.each<[string, Sighting[], Sighting[], boolean]>([
    ["the same payments", [paid], [paid], true],
    ["nothing of nothing", [], [], true],
    ["another amount", [paid], [aPayment({ units: 6 })], false],
    ["another address", [paid], [aPayment({ address: ALSO_OURS })], false],
    ["one payment less", [paid], [], false],
    ["one payment more", [paid], [paid, aPayment({ eventIndex: 1 })], false],
  ])("compares what a node tells with the books: %s", (_what, booked, told, isAlike) => {
    expect(tellAlike(booked, voices(booked, told))).toBe(isAlike);
  });
});
