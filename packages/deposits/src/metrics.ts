import type { DepositStatus } from "@daric/domain/deposit";
import { collectedGauge, type OpenCollector, unsetGauge } from "@daric/runtime/metrics";
import { Counter, Gauge, type Registry } from "prom-client";

export type DepositMetrics = ReturnType<typeof createDepositMetrics>;

/** Metrics of reading and of deposits. Some are known only to the watcher that reads. */
export function createDepositMetrics(registers: Registry[], openCollector: OpenCollector) {
  const openDeposits = openCollector<ReadonlyMap<DepositStatus, number>>("open_deposits");
  collectedGauge(
    {
      name: "daric_open_deposits",
      help: "Deposits that are not final, by status; reported by the watcher that reads",
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
      help: "1 for a node that did not name our chain at its last call; only with a quorum above 1",
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

/** Measures at each scrape how long another session blocks the scanner; no sample if another process reads. */
export function measureBlocking(registers: Registry[], seconds: () => number | undefined): void {
  new Gauge({
    name: "daric_scanner_blocked_seconds",
    help: "Seconds that the scanner has waited for a lock of another database session; 0 if it does not wait",
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
      "Number of the last scanned block: no block below it is missing",
    ),
    scannedBlockTime: gauge(
      "daric_scanned_block_timestamp_seconds",
      "Time of the last scanned block, in seconds since 1970",
    ),
    solidBlock: gauge("daric_solid_block", "Number of the last solid block that is verified"),
    solidBlockTime: gauge(
      "daric_solid_block_timestamp_seconds",
      "Time of the last solid block that is verified, in seconds since 1970",
    ),
    scanHalted: gauge(
      "daric_scan_halted",
      "1 while the scan is halted, because the nodes' chain left ours at a final block",
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
