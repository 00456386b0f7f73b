import { Gauge, type Registry } from "prom-client";

export type MeasuredPool = {
  readonly pool: string;
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
};

export function measurePools(registers: Registry[], uses: () => readonly MeasuredPool[]): void {
  new Gauge({
    name: "daric_database_connections",
    help: "Connections to the database",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const { pool, inUse, idle } of uses()) {
        this.set({ pool, state: "in_use" }, inUse);
        this.set({ pool, state: "idle" }, idle);
      }
    },
  });
  new Gauge({
    name: "daric_database_connections_max",
    help: "Connections that a pool may have",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const { pool, max } of uses()) this.set({ pool }, max);
    },
  });
  new Gauge({
    name: "daric_database_waiting",
    help: "Statements and transactions that wait for a connection of their pool",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const { pool, waiting } of uses()) this.set({ pool }, waiting);
    },
  });
}
