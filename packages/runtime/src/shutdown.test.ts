import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { createShutdown } from "./shutdown.ts";

function openShutdown(workMs: number) {
  const order: string[] = [];
  const log = createLogger({ level: "silent", role: "test" });
  const shutdown = createShutdown({ log, workMs });
  const note =
    (name: string, ms = 0) =>
    async () => {
      await sleep(ms);
      order.push(name);
    };
  return { shutdown, order, note };
}

describe("a shutdown", () => {
  it("stops all work at once, then closes connections, last opened first", async () => {
    const { shutdown, order, note } = openShutdown(5_000);
    shutdown.addConnection(note("database"));
    shutdown.addWork(note("slow worker", 40));
    shutdown.addConnection(note("nodes"));
    shutdown.addWork(note("api", 5));
    await shutdown.run();
    expect(order).toEqual(["api", "slow worker", "nodes", "database"]);
  });

  it("cuts off work that hangs, and still closes its connections", async () => {
    const { shutdown, order, note } = openShutdown(100);
    shutdown.addConnection(note("database"));
    shutdown.addWork(() => new Promise(() => {}));
    const startedAt = performance.now();
    await shutdown.run();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(order).toEqual(["database"]);
  });

  it("continues after a failure", async () => {
    const { shutdown, order, note } = openShutdown(5_000);
    shutdown.addConnection(note("database"));
    shutdown.addConnection(() => Promise.reject(new Error("closed already")));
    shutdown.addWork(() => Promise.reject(new Error("lease lost")));
    await shutdown.run();
    expect(order).toEqual(["database"]);
  });

  it("runs once, however often it is called", async () => {
    const { shutdown, order, note } = openShutdown(5_000);
    shutdown.addWork(note("api"));
    await Promise.all([shutdown.run(), shutdown.run()]);
    await shutdown.run();
    expect(order).toEqual(["api"]);
  });
});
