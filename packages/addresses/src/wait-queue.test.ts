import { describe, expect, it } from "vitest";
import { createWaitQueue } from "./wait-queue.ts";

const patient = { waitMs: 60_000, onTimeout: () => new Error("too late") };

describe("a wait queue", () => {
  it("serves in order, each caller once", async () => {
    const queue = createWaitQueue<number>();
    const served = Promise.all([queue.join(patient), queue.join(patient)]);
    queue.serve(1);
    queue.serve(2);
    expect(await served).toEqual([1, 2]);
    expect(queue.length()).toBe(0);
    expect(() => queue.serve(3)).toThrow("no caller waits");
  });

  it("refuses all callers at once", async () => {
    const queue = createWaitQueue<number>();
    const refused = Promise.allSettled([queue.join(patient), queue.join(patient)]);
    queue.refuseAll(new Error("away"));
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(queue.length()).toBe(0);
  });

  it("refuses a caller after its timeout, and serves the next one", async () => {
    const queue = createWaitQueue<number>();
    const hasty = queue.join({ ...patient, waitMs: 1 });
    await expect(hasty).rejects.toThrow("too late");
    const next = queue.join(patient);
    queue.serve(7);
    expect(await next).toBe(7);
  });
});
