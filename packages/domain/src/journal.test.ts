import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depositPrice } from "./book-price.ts";
import { fiatCurrencies, unitOf } from "./fiat.ts";
import { type JournalFact, journalLines } from "./journal.ts";
import { balanceOf, type LedgerLine } from "./ledger.ts";
import { amountFromUnits, formatAmount, WHOLE_SHARE } from "./money.ts";

/** The lines that the ledger's constraint allows, and a refund. */
const moves = [
  ["deposit", "on_addresses", "merchant"],
  ["unmatched", "on_addresses", "merchant"],
  ["fee", "merchant", "operator_fees"],
  ["fixed_fee", "merchant", "operator_fees"],
  ["fee_returned", "operator_fees", "merchant"],
  ["sweep_sent", "in_flight", "on_addresses"],
  ["sweep_landed", "merchant", "in_flight"],
  ["sweep_landed", "operator_fees", "in_flight"],
  ["sweep_returned", "on_addresses", "in_flight"],
  ["top_up", "on_addresses", "gas"],
  ["activation", "network_cost", "gas"],
  ["gas_burn", "network_cost", "on_addresses"],
  ["deposit_burn", "network_cost", "on_addresses"],
  ["excess", "on_addresses", "suspense"],
  ["outflow", "merchant", "on_addresses"],
  ["outflow", "operator_fees", "on_addresses"],
  ["outflow", "suspense", "on_addresses"],
  ["refund", "refunds", "wallet"],
] as const;
const units = fc.bigInt(1n, 10n ** 15n).map(amountFromUnits);
const fact = fc
  .tuple(fc.constantFrom(...moves), units)
  .map(([[kind, debit, credit], moved]) => ({ kind, debit, credit, units: moved }) as JournalFact);
const sum = (fact: JournalFact, worth: Parameters<typeof journalLines>[1], of: "units" | "book") =>
  journalLines(fact, worth).reduce(
    (total, line) => total + (line.side === "debit" ? 1n : -1n) * (line[of] ?? 0n),
    0n,
  );

describe("an entry of the journal", () => {
  it("sums to zero in its coin and in the currency of the books", () => {
    const worth = fc.record({
      value: fc.option(fc.bigInt(0n, 10n ** 12n), { nil: undefined }),
      price: fc.option(fc.bigInt(0n, 10n ** 12n), { nil: undefined }),
    });
    fc.assert(
      fc.property(fact, worth, (moved, known) => {
        expect(sum(moved, known, "units")).toBe(0n);
        expect(sum(moved, known, "book")).toBe(0n);
      }),
    );
  });

  it("has no book amount without a value, even if its price is known", () => {
    fc.assert(
      fc.property(fact, (moved) => {
        const lines = journalLines(moved, { value: undefined, price: 5n });
        expect(lines.filter(({ book }) => book !== undefined)).toEqual([]);
      }),
    );
  });

  it("keeps on `held` what the ledger has on addresses and in flight", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 30 }), (facts) => {
        const lines = facts.map((line) => ({ ...line, currency: "USDT" })) as unknown as LedgerLine[];
        const ledger = balanceOf("on_addresses", "USDT", lines) + balanceOf("in_flight", "USDT", lines);
        const held = facts
          .flatMap((one) => journalLines(one, { value: undefined, price: undefined }))
          .filter(({ account }) => account === "held")
          .reduce((total, line) => total + (line.side === "debit" ? 1n : -1n) * (line.units ?? 0n), 0n);
        expect(held).toBe(ledger);
      }),
    );
  });

  it("books the price as revenue, and the rest of the value as exchange result", () => {
    const deposit: JournalFact = {
      kind: "deposit",
      debit: "on_addresses",
      credit: "merchant",
      units: amountFromUnits(25_000_000n),
    };
    const accounts = (value: bigint, price: bigint | undefined) =>
      journalLines(deposit, { value, price }).map(({ account, side, book }) => `${account} ${side} ${book}`);
    expect(accounts(2_501n, 2_499n)).toEqual(["held debit 2501", "revenue credit 2499", "exchange credit 2"]);
    expect(accounts(2_490n, 2_499n)).toEqual(["held debit 2490", "revenue credit 2499", "exchange debit 9"]);
    expect(accounts(2_501n, undefined)).toEqual(["held debit 2501", "revenue credit 2501"]);
  });
});

describe("the prices of deposits", () => {
  it("add up to the price of an order that is paid exactly, by any quotes", () => {
    const parts = fc.array(fc.bigInt(1n, 10n ** 9n), { minLength: 1, maxLength: 20 });
    const amount = fc.bigInt(1n, 10n ** 11n);
    fc.assert(
      fc.property(parts, amount, fc.constantFrom(...fiatCurrencies), (weights, minor, fiatCurrency) => {
        const whole = weights.reduce((total, weight) => total + weight, 0n);
        const fiatAmount = formatAmount(amountFromUnits(minor * unitOf(fiatCurrency)));
        let before = 0n;
        let priced = 0n;
        for (const weight of weights) {
          // A share is rounded up, as the service stores it.
          const own = (weight * WHOLE_SHARE + whole - 1n) / whole;
          priced += depositPrice({ fiatCurrency, fiatAmount }, { before, own });
          before += own;
        }
        expect(priced).toBe(minor);
      }),
    );
  });
});
