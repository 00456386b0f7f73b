import { describe, expect, it } from "vitest";
import { NodeError } from "../blocks/node-error.ts";
import {
  afterFailure,
  afterQuarantine,
  afterSuccess,
  failoverOrder,
  healthy,
  type NodeHealth,
} from "./node-health.ts";

const timeout = new NodeError("late", { fault: "timeout", node: "a" });
const limited = new NodeError("slow down", { fault: "rate_limited", node: "a", retryAfterMs: 5_000 });

function failed(times: number, now = 0): NodeHealth {
  let health = healthy;
  for (let count = 0; count < times; count += 1) health = afterFailure(health, timeout, now);
  return health;
}

describe("node health", () => {
  it("a failing node is avoided twice as long each time, up to 30 s", () => {
    expect([1, 2, 3, 7, 8, 50].map((times) => failed(times).avoidedUntil)).toEqual([
      250, 500, 1_000, 16_000, 30_000, 30_000,
    ]);
  });

  it("an avoided node is called last, and in its own place once its time is up", () => {
    const nodes = [
      { name: "first", health: failed(3) },
      { name: "second", health: failed(2) },
      { name: "third", health: healthy },
    ];
    const order = (now: number) => failoverOrder(nodes, now).map((node) => node.name);
    expect(order(0)).toEqual(["third", "second", "first"]);
    expect(order(600)).toEqual(["second", "third", "first"]);
    expect(order(1_000)).toEqual(["first", "second", "third"]);
  });

  it("a node in quarantine is called last for ten minutes, however well it answers", () => {
    const quarantined = afterSuccess(afterQuarantine(healthy, 0));
    const nodes = [
      { name: "first", health: quarantined },
      { name: "second", health: failed(50) },
    ];
    const order = (now: number) => failoverOrder(nodes, now).map((node) => node.name);
    expect(order(0)).toEqual(["second", "first"]);
    expect(order(599_999)).toEqual(["second", "first"]);
    expect(order(600_000)).toEqual(["first", "second"]);
  });

  it("a rate-limited node is not called before its Retry-After", () => {
    const nodes = [{ health: afterFailure(healthy, limited, 100) }];
    expect(failoverOrder(nodes, 5_099)).toEqual([]);
    expect(failoverOrder(nodes, 5_100)).toEqual(nodes);
  });

  it("a rate limit with a time in the past pauses for one second", () => {
    const over = new NodeError("slow down", { fault: "rate_limited", node: "a", retryAfterMs: 0 });
    const nodes = [{ health: afterFailure(healthy, over, 0) }];
    expect(failoverOrder(nodes, 999)).toEqual([]);
    expect(failoverOrder(nodes, 1_000)).toEqual(nodes);
  });

  it("a rate limit without a time pauses for at least one second, longer when it repeats", () => {
    const nameless = new NodeError("busy", { fault: "rate_limited", node: "a" });
    expect(afterFailure(healthy, nameless, 0).pausedUntil).toBe(1_000);
    expect(afterFailure(failed(5), nameless, 0).pausedUntil).toBe(8_000);
  });

  it("a later failure does not shorten a pause", () => {
    const paused = afterFailure(healthy, limited, 0);
    expect(afterFailure(paused, timeout, 10).pausedUntil).toBe(5_000);
  });

  it("a success clears the failures but keeps a new pause", () => {
    expect(afterSuccess(failed(9))).toEqual(healthy);
    expect(afterSuccess(afterFailure(healthy, limited, 0)).pausedUntil).toBe(5_000);
  });
});
