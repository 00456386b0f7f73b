import { Counter, Gauge, type Registry } from "prom-client";
import type { DepositStatus } from "../domain/deposit.ts";
import { collectedGauge, type OpenCollector, unsetGauge } from "../runtime/metrics.ts";

export type DepositMetrics = ReturnType<typeof createDepositMetrics>;

/** Metrics of reading and of deposits. Some are known only to the watcher that reads. */
export function createDepositMetrics(registers: Registry[], openCollector: OpenCollector) {
  const openDeposits = openCollector<ReadonlyMap<DepositStatus, number>>("open_deposits");
  collectedGauge(
    {
      name: "daric_open_deposits",
      help: "Deposits that are not final, by status; told by the watcher that reads",
      labelNames: ["status"],
      registers,
    },
    openDeposits,
    (counts) => [...counts].map(([status, value]) => ({ labels: { status }, value })),
  );
  return {
    openDeposits,
    ...createHeightMetrics(registers),
    watcherLeader: unsetGauge({
      name: "daric_watcher_leader",
      help: "1 for the watcher that reads, 0 for one that stands by",
      registers,
    }),
    deposits: new Counter({
      name: "daric_deposit_transitions_total",
      help: "Deposits by the status they reached",
      labelNames: ["status", "currency"],
      registers,
    }),
    quorumShort: new Gauge({
      name: "daric_quorum_short",
      help: "1 for a node that did not agree when it was last asked, where there is a quorum",
      labelNames: ["node"],
      registers,
    }),
    outflows: new Counter({
      name: "daric_outflows_total",
      help: "Transfers out of our addresses",
      labelNames: ["currency"],
      registers,
    }),
    unsupportedTransfers: new Counter({
      name: "daric_unsupported_transfers_total",
      help: "Tokens that are not accepted and reached our addresses",
      labelNames: ["source"],
      registers,
    }),
    forks: new Counter({ name: "daric_forks_total", help: "Forks followed to their ancestor", registers }),
  };
}

/** Measures at each scrape how long reading is blocked; no sample if it is unknown. */
export function measureHolding(registers: Registry[], seconds: () => number | undefined): void {
  new Gauge({
    name: "daric_scanner_blocked_seconds",
    help: "How long the reading of blocks has waited for what another session of the database holds; 0 while it does not",
    registers,
    collect() {
      const value = seconds();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

function createHeightMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => unsetGauge({ name, help, registers });
  return {
    headBlock: gauge("daric_head_block", "Number of the node's head block"),
    headBlockTime: gauge(
      "daric_head_block_timestamp_seconds",
      "Time of the node's head block, in seconds since 1970",
    ),
    scannedBlock: gauge(
      "daric_scanned_block",
      "Number of the block up to which the chain was read whole, without a gap",
    ),
    scannedBlockTime: gauge(
      "daric_scanned_block_timestamp_seconds",
      "Time of the block up to which the chain was read whole, in seconds since 1970",
    ),
    solidBlock: gauge("daric_solid_block", "Number of the last block that is solid"),
    solidBlockTime: gauge(
      "daric_solid_block_timestamp_seconds",
      "Time of the last block that is solid, in seconds since 1970",
    ),
    scanHalted: gauge(
      "daric_scan_halted",
      "1 while nothing is read because the nodes' chain left ours at a block that was final",
    ),
  };
}

/** Removes the heights of a watcher that stands by. */
export function forgetHeights(metrics: DepositMetrics): void {
  metrics.headBlock.remove();
  metrics.headBlockTime.remove();
  metrics.scannedBlock.remove();
  metrics.scannedBlockTime.remove();
  metrics.solidBlock.remove();
  metrics.solidBlockTime.remove();
  metrics.scanHalted.remove();
  metrics.quorumShort.reset();
}
