import { ALSO_OURS, aNodeAnswer, aPayment, OTHER_TX, OURS, TX } from "@daric/testing/node-answers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveQuorum, type StoredDeposit } from "./agree.ts";

describe("for any answers of nodes", () => {
  const anyPayment = fc
    .record({
      txId: fc.constantFrom(TX, OTHER_TX),
      source: fc.constantFrom("log" as const, "internal" as const),
      eventIndex: fc.integer({ min: 0, max: 1 }),
      address: fc.constantFrom(OURS, ALSO_OURS),
      units: fc.integer({ min: 1, max: 3 }),
    })
    .map(aPayment);
  const positionOf = ({ txId, source, eventIndex }: StoredDeposit) => `${txId}/${source}/${eventIndex}`;
  const factOf = (deposit: StoredDeposit) => `${positionOf(deposit)}/${deposit.address}/${deposit.amount}`;
  const someReported = fc.uniqueArray(anyPayment, { selector: positionOf, maxLength: 4 });
  /** The truth, the stored part of it, each liar's answer, and the honest nodes with or without internals. */
  const aRun = fc.record({
    actual: someReported,
    stored: fc.uniqueArray(anyPayment, { selector: ({ id }) => id, maxLength: 4 }),
    needed: fc.integer({ min: 1, max: 4 }),
    lies: fc.array(someReported, { maxLength: 3 }),
    honest: fc.array(fc.boolean(), { maxLength: 5 }),
  });

  function runVote({
    actual,
    stored,
    needed,
    lies,
    honest,
  }: typeof aRun extends fc.Arbitrary<infer P> ? P : never) {
    const liars = lies.slice(0, needed - 1).map((reported, index) => aNodeAnswer(`liar ${index}`, reported));
    const others = honest.map((storesInternals, index) => {
      const reported = actual.filter(({ source }) => storesInternals || source === "log");
      return aNodeAnswer(`honest ${index}`, reported, { storesInternals });
    });
    const known = stored.filter(
      (deposit, index) => stored.findIndex(({ id }) => id === deposit.id) === index,
    );
    return { result: resolveQuorum(known, [...liars, ...others], { needed }), known, liars, others };
  }

  it("no false deposit passes and no true one is contradicted while fewer nodes than needed lie", () => {
    fc.assert(
      fc.property(aRun, (input) => {
        const { result } = runVote(input);
        const facts = new Set(input.actual.map(factOf));
        for (const { deposit } of result.passed) expect(facts).toContain(factOf(deposit));
        for (const deposit of result.agreed.observed) expect(facts).toContain(factOf(deposit));
        for (const deposit of result.contradicted) expect(facts).not.toContain(factOf(deposit));
        for (const { node } of result.outvoted) expect(node).toMatch(/^liar/);
      }),
    );
  });

  it("every true deposit passes and every false log is contradicted if as many honest nodes as needed answer", () => {
    fc.assert(
      fc.property(aRun, (input) => {
        const honest = Array.from({ length: input.needed }, () => true);
        const { result, known, liars } = runVote({ ...input, honest });
        const passed = new Set(result.passed.map(({ deposit }) => factOf(deposit)));
        const facts = new Set(input.actual.map(factOf));
        expect(passed).toEqual(facts);
        expect(result.noMajority).toEqual([]);
        const contradicted = new Set(result.contradicted.map(factOf));
        const places = new Set(input.actual.map(positionOf));
        for (const deposit of known) {
          if (facts.has(factOf(deposit))) continue;
          const isContradicted = deposit.source === "log" || places.has(positionOf(deposit));
          expect(contradicted.has(factOf(deposit))).toBe(isContradicted);
        }
        const lying = liars.filter(({ matches }) => {
          const reported = new Set(matches.observed.map(factOf));
          return reported.size !== facts.size || [...reported].some((deposit) => !facts.has(deposit));
        });
        expect(new Set(result.outvoted.map(({ node }) => node))).toEqual(
          new Set(lying.map(({ node }) => node)),
        );
      }),
    );
  });

  it("each stored deposit gets one result: passed, contradicted or waiting", () => {
    fc.assert(
      fc.property(aRun, (input) => {
        const { result, known } = runVote(input);
        const passed = result.passed.map(({ deposit }) => factOf(deposit));
        const waiting = result.waiting.map(({ deposit }) => factOf(deposit));
        const contradicted = result.contradicted.map(factOf);
        const all = [...passed, ...waiting, ...contradicted];
        expect(new Set(all).size).toBe(all.length);
        for (const deposit of known) expect(all).toContain(factOf(deposit));
      }),
    );
  });
});
