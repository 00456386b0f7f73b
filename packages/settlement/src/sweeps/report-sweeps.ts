import type { Currency } from "@daric/domain/asset";
import { formatAmount } from "@daric/domain/money";
import type { SettlementContext } from "../context.ts";
import type { OpenSweep } from "./sweep-store.ts";

type Reporting = Pick<SettlementContext, "log" | "metrics">;
type Reported = Pick<
  OpenSweep,
  "merchantId" | "id" | "address" | "currency" | "recipient" | "destination" | "units"
>;

function factsOf({ merchantId, id, address, currency, recipient, destination, units }: Reported) {
  return {
    sweep_id: id,
    merchant_id: merchantId,
    address,
    currency,
    amount: formatAmount(units),
    recipient,
    destination,
  };
}

/** Logs and counts changes of sweeps. Call it after the commit. */
export const sweepReport = {
  landed({ log, metrics }: Reporting, sweep: Reported & Pick<OpenSweep, "transaction">): void {
    metrics.sweeps.inc({ outcome: "landed", currency: sweep.currency });
    log.info({ ...factsOf(sweep), tx_id: sweep.transaction?.txId }, "a sweep has landed");
  },

  failed({ log, metrics }: Reporting, sweep: Reported, reason: string): void {
    metrics.sweeps.inc({ outcome: "failed", currency: sweep.currency });
    log.warn(
      { event: "sweep_failed", ...factsOf(sweep), reason },
      "a sweep came to nothing and is planned again",
    );
  },

  frozen({ log, metrics }: Reporting, sweep: Reported, reason: string): void {
    metrics.alarms.inc({ alarm: "sweep_frozen" });
    log.error(
      { event: "sweep_frozen", ...factsOf(sweep), reason },
      "money cannot be swept, and an operator must decide",
    );
  },

  refused({ log, metrics }: Reporting, sweep: Reported, reason: string): void {
    metrics.alarms.inc({ alarm: "signing_refused" });
    log.error(
      { event: "signing_refused", ...factsOf(sweep), reason },
      "the signer refuses what settlement asks",
    );
  },

  returnRefused({ log, metrics }: Reporting, facts: { address: string; reason: string | null }): void {
    metrics.alarms.inc({ alarm: "signing_refused" });
    log.error({ event: "signing_refused", ...facts }, "the signer refuses to take back a delegation");
  },

  short(
    { log, metrics }: Reporting,
    facts: { merchant_id: string; address: string; currency: Currency; expected: string; held: string },
  ): void {
    metrics.alarms.inc({ alarm: "address_short" });
    log.error({ event: "address_short", ...facts }, "an address holds less than the ledger says");
  },

  walletChanged(
    { log, metrics }: Reporting,
    facts: { merchant_id: string; recipient: string; address: string },
  ): void {
    metrics.alarms.inc({ alarm: "wallet_changed" });
    log.error(
      { event: "wallet_changed", ...facts },
      "other keys may move the money of this wallet than were confirmed; its sweeps are paused",
    );
  },

  excess(
    { log, metrics }: Reporting,
    facts: { merchant_id: string; address: string; currency: Currency; amount: string },
  ): void {
    metrics.alarms.inc({ alarm: "unexplained_money" });
    log.error(
      { event: "unexplained_money", ...facts },
      "an address holds money that nothing explains; it is in suspense",
    );
  },
};
