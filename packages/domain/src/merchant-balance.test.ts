import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies } from "./asset.ts";
import {
  burnLines,
  depositLines,
  feeLines,
  type LedgerLine,
  sweepLandedLines,
  sweepRecipients,
  sweepSentLines,
} from "./ledger.ts";
import { merchantBalance, type SweepSum } from "./merchant-balance.ts";
import { amountFromUnits, amountIn } from "./money.ts";
import { type SweepStatus, sweepStatuses } from "./sweep.ts";

const usdt = (units: bigint) => ({ currency: "USDT", units: amountFromUnits(units) }) as const;

const sweep = (
  status: SweepStatus,
  units: bigint,
  recipient: SweepSum["recipient"] = "merchant",
): SweepSum => ({
  ...usdt(units),
  status,
  recipient,
});

/** 1,000 is confirmed, and 15 of it are fees. */
const totals: LedgerLine[] = [
  ...depositLines(usdt(1_000n)),
  ...feeLines("USDT", { share: amountFromUnits(10n), fixed: amountFromUnits(5n) }),
];

describe("a merchant's balance", () => {
  it("has the money on addresses by reason, and the money in flight to the merchant", () => {
    const sent = [...sweepSentLines(usdt(400n)), ...sweepLandedLines(usdt(150n), "merchant")];
    const facts = {
      totals: [...totals, ...sent],
      sweeps: [
        sweep("SENT", 240n),
        sweep("SENT", 10n, "operator"),
        sweep("SIGNED", 100n),
        sweep("RETRY", 50n),
        sweep("WAITING", 30n),
        sweep("FROZEN", 20n),
      ],
      hasSettlementAccount: true,
    };
    expect(merchantBalance("USDT", facts)).toEqual({
      currency: "USDT",
      confirmed: 1_000n,
      fees: 15n,
      settled: 150n,
      inFlight: 240n,
      waiting: 595n,
      waitingFor: [
        { reason: "not_planned", amount: 400n },
        { reason: "in_preparation", amount: 150n },
        { reason: "price", amount: 30n },
        { reason: "frozen", amount: 20n },
      ],
    });
    expect(merchantBalance("TRX", facts)).toMatchObject({ confirmed: 0n, waiting: 0n, waitingFor: [] });
  });

  it("names the TRX that the network took from the merchant's own, since no transfer will bring it", () => {
    const trx = (units: bigint) => ({ currency: "TRX", units: amountFromUnits(units) }) as const;
    const facts = {
      totals: [
        ...depositLines(trx(40_000_000n)),
        ...burnLines(amountIn("TRX", 1_400_000n), { gasUnits: amountIn("TRX", 300_000n) }),
        ...sweepSentLines(trx(38_900_000n)),
        ...sweepLandedLines(trx(38_900_000n), "merchant"),
      ],
      sweeps: [],
      hasSettlementAccount: true,
    };
    expect(merchantBalance("TRX", facts)).toMatchObject({
      waiting: 1_100_000n,
      waitingFor: [{ reason: "network_cost", amount: 1_100_000n }],
    });
  });

  it("has the reason of a missing wallet if money waits for one", () => {
    const { waitingFor } = merchantBalance("USDT", { totals, sweeps: [], hasSettlementAccount: false });
    expect(waitingFor).toEqual([{ reason: "no_settlement_account", amount: 1_000n }]);
  });

  it("adds up: confirmed money less fees is settled, in flight or waiting", () => {
    const sums = fc.array(
      fc.record({
        currency: fc.constantFrom(...currencies),
        recipient: fc.constantFrom(...sweepRecipients),
        status: fc.constantFrom(...sweepStatuses),
        units: fc.bigInt(1n, 10n ** 12n).map(amountFromUnits),
      }),
    );
    fc.assert(
      fc.property(sums, fc.boolean(), (sweeps, hasSettlementAccount) => {
        const balance = merchantBalance("USDT", { totals, sweeps, hasSettlementAccount });
        expect(balance.confirmed - balance.fees).toBe(balance.settled + balance.inFlight + balance.waiting);
      }),
    );
  });
});
