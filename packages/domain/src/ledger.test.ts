import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activationLines,
  balanceOf,
  burnLines,
  depositLines,
  feeLines,
  type LedgerLine,
  ledgerAccounts,
  outflowLines,
  suspenseLines,
  sweepLandedLines,
  sweepReturnedLines,
  sweepSentLines,
  topUpLines,
  unmatchedLines,
} from "./ledger.ts";
import { contentOf, merchantMovements } from "./merchant-balance.ts";
import { amountFromUnits, amountIn, zero } from "./money.ts";

const usdt = (units: bigint) => ({ currency: "USDT", units: amountFromUnits(units) }) as const;
const trx = (units: bigint) => ({ currency: "TRX", units: amountFromUnits(units) }) as const;
const sun = (units: bigint) => amountIn("TRX", units);
const fee = (share: bigint, fixed: bigint) =>
  feeLines("USDT", { share: amountFromUnits(share), fixed: amountFromUnits(fixed) });

const accountsOf = (lines: readonly LedgerLine[]) =>
  lines.map(({ kind, debit, credit, units }) => `${kind}: ${debit} ${credit} ${units}`);

describe("the lines of the ledger", () => {
  it.each([
    [depositLines(usdt(5n)), ["deposit: on_addresses merchant 5"]],
    [unmatchedLines(trx(5n)), ["unmatched: on_addresses merchant 5"]],
    [fee(3n, 2n), ["fee: merchant operator_fees 3", "fixed_fee: merchant operator_fees 2"]],
    [fee(3n, 0n), ["fee: merchant operator_fees 3"]],
    [sweepSentLines(usdt(5n)), ["sweep_sent: in_flight on_addresses 5"]],
    [sweepLandedLines(usdt(5n), "merchant"), ["sweep_landed: merchant in_flight 5"]],
    [sweepLandedLines(usdt(5n), "operator"), ["sweep_landed: operator_fees in_flight 5"]],
    [sweepReturnedLines(usdt(5n)), ["sweep_returned: on_addresses in_flight 5"]],
    [topUpLines(sun(5n)), ["top_up: on_addresses gas 5"]],
    [activationLines(sun(5n)), ["activation: network_cost gas 5"]],
    [suspenseLines(trx(5n)), ["excess: on_addresses suspense 5"]],
    [outflowLines(usdt(5n), "merchant"), ["outflow: merchant on_addresses 5"]],
    [outflowLines(usdt(5n), "operator"), ["outflow: operator_fees on_addresses 5"]],
    [outflowLines(usdt(5n), "unknown"), ["outflow: suspense on_addresses 5"]],
  ])("name the debited and the credited account", (lines, expected) => {
    expect(accountsOf(lines)).toEqual(expected);
  });

  it("burn the rest of a top-up before a payer's TRX", () => {
    const burnt = (units: bigint, gasUnits: bigint) =>
      accountsOf(burnLines(sun(units), { gasUnits: sun(gasUnits) }));
    expect(burnt(5n, 7n)).toEqual(["gas_burn: network_cost on_addresses 5"]);
    expect(burnt(5n, 2n)).toEqual([
      "gas_burn: network_cost on_addresses 2",
      "deposit_burn: network_cost on_addresses 3",
    ]);
    expect(burnt(5n, 0n)).toEqual(["deposit_burn: network_cost on_addresses 5"]);
  });

  it("are none for an amount of zero, and never negative", () => {
    expect([depositLines(usdt(0n)), fee(0n, 0n), burnLines(sun(0n), { gasUnits: sun(3n) })].flat()).toEqual(
      [],
    );
    expect(() => depositLines(usdt(-1n))).toThrow("a line of deposit moves -1 units");
  });
});

/** Any lines of USDT and TRX. */
const anyLines = fc
  .array(
    fc.tuple(fc.bigInt(1n, 10n ** 15n), fc.nat(12)).map(([units, choice]) => {
      const choices: readonly (() => LedgerLine[])[] = [
        () => depositLines(usdt(units)),
        () => depositLines(trx(units)),
        () => unmatchedLines(trx(units)),
        () => fee(units, units / 2n),
        () => sweepSentLines(usdt(units)),
        () => sweepLandedLines(usdt(units), units % 2n === 0n ? "merchant" : "operator"),
        () => sweepReturnedLines(trx(units)),
        () => topUpLines(sun(units)),
        () => activationLines(sun(units)),
        () => burnLines(sun(units), { gasUnits: sun(units / 3n) }),
        () => suspenseLines(usdt(units)),
        () => outflowLines(usdt(units), "unknown"),
        () => outflowLines(trx(units), "merchant"),
      ];
      return choices[choice]?.() ?? [];
    }),
    { maxLength: 40 },
  )
  .map((lists) => lists.flat());

describe("balances", () => {
  it("of all accounts add up to zero, whatever was booked", () => {
    fc.assert(
      fc.property(anyLines, fc.constantFrom("USDT" as const, "TRX" as const), (lines, currency) => {
        const sum = ledgerAccounts.reduce((all, account) => all + balanceOf(account, currency, lines), 0n);
        expect(sum).toBe(0n);
      }),
    );
  });

  it("of a merchant give its confirmed, charged and settled sums, and their difference is the account's balance", () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const { confirmed, fees, settled } = merchantMovements("USDT", lines);
        expect(confirmed - fees - settled).toBe(-balanceOf("merchant", "USDT", lines));
      }),
    );
    const lines = [
      ...depositLines(usdt(1_000n)),
      ...fee(10n, 5n),
      ...sweepSentLines(usdt(700n)),
      ...sweepLandedLines(usdt(400n), "merchant"),
      ...sweepLandedLines(usdt(15n), "operator"),
      ...suspenseLines(usdt(9n)),
    ];
    expect(merchantMovements("USDT", lines)).toEqual({ confirmed: 1_000n, fees: 15n, settled: 400n });
    expect(contentOf("USDT", lines)).toBe(300n);
    expect(merchantMovements("TRX", lines)).toEqual({ confirmed: zero, fees: zero, settled: zero });
  });

  it("do not count the gas wallet's TRX on an address as the merchant's", () => {
    const lines = [
      ...unmatchedLines(trx(50n)),
      ...topUpLines(sun(30n)),
      ...burnLines(sun(40n), { gasUnits: sun(30n) }),
    ];
    expect(merchantMovements("TRX", lines)).toMatchObject({ confirmed: 50n, settled: zero });
    expect(contentOf("TRX", lines)).toBe(40n);
    expect(balanceOf("on_addresses", "TRX", lines)).toBe(40n);
    expect(balanceOf("network_cost", "TRX", lines)).toBe(40n);
  });
});
