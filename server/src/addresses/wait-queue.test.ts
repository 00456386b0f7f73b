import { describe, expect, it } from "vitest";
import { createWaitQueue } from "./wait-queue.ts";

const patient = { waitMs: 60_000, onTimeout: () => new Error("too late") };

describe("a wait queue", () => {
  it("serves in order, each caller once", async () => {
    const line = createWaitQueue<number>();
    const served = Promise.all([line.join(patient), line.join(patient)]);
    line.serve(1);
    line.serve(2);
    expect(await served).toEqual([1, 2]);
    expect(line.length()).toBe(0);
    expect(() => line.serve(3)).toThrow("nobody waits");
  });

  it("refuses all callers at once", async () => {
    const line = createWaitQueue<number>();
    const refused = Promise.allSettled([line.join(patient), line.join(patient)]);
    line.refuseAll(new Error("away"));
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(line.length()).toBe(0);
  });

  it("refuses a caller after its timeout, and serves the next one", async () => {
    const line = createWaitQueue<number>();
    const hasty = line.join({ ...patient, waitMs: 1 });
    await expect(hasty).rejects.toThrow("too late");
    const next = line.join(patient);
    line.serve(7);
    expect(await next).toBe(7);
  });
});
