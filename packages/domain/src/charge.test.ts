import { describe, expect, it } from "vitest";
import { chargeMachine, hasExpired, isTooLong } from "./charge.ts";

it("a charge moves along these edges and no others", () => {
  expect(chargeMachine.events.map((event) => [event, chargeMachine.edge(event)])).toEqual([
    ["expired", { from: ["ACTIVE"], to: "EXPIRED" }],
    ["paid", { from: ["ACTIVE", "EXPIRED"], to: "ARCHIVED" }],
    ["archived", { from: ["ACTIVE", "EXPIRED"], to: "ARCHIVED" }],
    ["accepted", { from: ["ACTIVE", "EXPIRED", "ARCHIVED"], to: "ARCHIVED" }],
    ["quiet", { from: ["EXPIRED"], to: "ARCHIVED" }],
  ]);
});

it("a charge lives at most ninety days, however often it is extended", () => {
  const createdAt = new Date("2026-01-01T00:00:00.000Z");
  const lives = (ms: number) => isTooLong({ createdAt, expiresAt: new Date(createdAt.getTime() + ms) });
  expect([lives(90 * 86_400_000), lives(90 * 86_400_000 + 1)]).toEqual([false, true]);
  expect(isTooLong({ createdAt, expiresAt: null })).toBe(false);
});

describe("expiry", () => {
  const expiresAt = new Date("2026-01-01T12:00:00.000Z");
  const at = (ms: number) => new Date(expiresAt.getTime() + ms);

  it("comes when the chain's time is past expires_at, not when it equals it", () => {
    expect(hasExpired(expiresAt, at(-1), false)).toBe(false);
    expect(hasExpired(expiresAt, at(0), false)).toBe(false);
    expect(hasExpired(expiresAt, at(1), false)).toBe(true);
  });

  it("waits for an open deposit that came on time", () => {
    expect(hasExpired(expiresAt, at(3_600_000), true)).toBe(false);
  });

  it("never comes to a receive address", () => {
    expect(hasExpired(null, at(3_600_000), false)).toBe(false);
  });
});
