import type { SweepStatus } from "@daric/domain/sweep";
import { collectedGauge, type OpenCollector, unsetGauge } from "@daric/runtime/metrics";
import { Counter, type Registry } from "prom-client";

export type SettlementMetrics = ReturnType<typeof createSettlementMetrics>;

/** The number of open sweeps in one status, and how long the oldest has been in it. */
export type SweepCount = {
  readonly status: SweepStatus;
  readonly count: number;
  readonly oldestSeconds: number;
};

/** Metrics that only the process which settles knows. */
export function createSettlementMetrics(registers: Registry[], openCollector: OpenCollector) {
  const openSweeps = openCollector<readonly SweepCount[]>("open_sweeps");
  collectedGauge(
    {
      name: "daric_open_sweeps",
      help: "Sweeps that are not over, by status",
      labelNames: ["status"],
      registers,
    },
    openSweeps,
    (counts) => counts.map(({ status, count }) => ({ labels: { status }, value: count })),
  );
  collectedGauge(
    {
      name: "daric_sweep_oldest_seconds",
      help: "How long the sweep that has stood longest in a status has stood in it",
      labelNames: ["status"],
      registers,
    },
    openSweeps,
    (counts) => counts.map(({ status, oldestSeconds }) => ({ labels: { status }, value: oldestSeconds })),
  );
  const gauge = (name: string, help: string) => unsetGauge({ name, help, registers });
  return {
    openSweeps,
    settlementLeader: gauge(
      "daric_settlement_leader",
      "1 for the process that settles, 0 for one that stands by",
    ),
    gasSun: gauge("daric_gas_wallet_sun", "The TRX of the gas wallet, in sun"),
    stakeLoansFree: gauge(
      "daric_stake_loans_free",
      "Transfers of a token whose energy the stake can lend now",
    ),
    stakeFreeSun: gauge("daric_stake_free_sun", "Stake that can be lent now, in sun"),
    signerSilence: gauge("daric_signer_silence_seconds", "How long ago the signer said last that it runs"),
    settlementPaused: gauge("daric_settlement_paused", "1 while an operator has paused settlement"),
    sweeps: new Counter({
      name: "daric_sweeps_total",
      help: "Sweeps by what became of their transaction",
      labelNames: ["outcome", "currency"],
      registers,
    }),
  };
}

/** Removes the samples of a process that stands by. */
export function resetSettlementMetrics(metrics: SettlementMetrics): void {
  metrics.settlementLeader.set(0);
  const { gasSun, stakeFreeSun, stakeLoansFree, signerSilence, settlementPaused } = metrics;
  for (const gauge of [gasSun, stakeFreeSun, stakeLoansFree, signerSilence, settlementPaused]) gauge.remove();
}
