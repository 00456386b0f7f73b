import { Counter, Gauge, type Registry } from "prom-client";

export type DepositMetrics = ReturnType<typeof createDepositMetrics>;

/** How far the chain is read, and what becomes of deposits. */
export function createDepositMetrics(registers: Registry[]) {
  return {
    scannedBlock: new Gauge({
      name: "daric_scanned_block",
      help: "Number of the block up to which the chain was read whole, without a gap",
      registers,
    }),
    scannedBlockTime: new Gauge({
      name: "daric_scanned_block_timestamp_seconds",
      help: "Time of the block up to which the chain was read whole, in seconds since 1970",
      registers,
    }),
    headBlock: new Gauge({ name: "daric_head_block", help: "Number of the node's head block", registers }),
    solidBlock: new Gauge({
      name: "daric_solid_block",
      help: "Number of the last solid block seen",
      registers,
    }),
    scanHalted: new Gauge({
      name: "daric_scan_halted",
      help: "1 while nothing is read because the nodes' chain left ours at a block that was final",
      registers,
    }),
    learnedKeys: new Counter({
      name: "daric_witness_keys_learned_total",
      help: "Keys of witnesses that were learned from blocks, beside those that were pinned",
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

/** Measures, whenever the metrics are asked for, how long reading is held up; no sample where there is no answer. */
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
