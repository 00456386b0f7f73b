import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HeldUpError } from "./errors.ts";
import { createShares } from "./tenant-shares.ts";
import { setClusterServers, spreadTenants } from "./tenants.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work on a connection; the test decides when it ends. */
function begun() {
  const log: string[] = [];
  const ends = new Map<string, { done: () => void; fail: (error: unknown) => void }>();
  const shares = createShares(8);
  return {
    log,
    ends,
    enqueue: (name: string, tenant: string, mayBlock = true) =>
      shares
        .take(
          { tenant, mayBlock },
          () =>
            new Promise<void>((resolve, reject) => {
              log.push(name);
              ends.set(name, { done: resolve, fail: reject });
            }),
        )
        .then(
          () => log.push(`${name} done`),
          (error: unknown) => log.push(`${name} ${error instanceof HeldUpError ? "refused" : "failed"}`),
        ),
  };
}

const turn = () => vi.advanceTimersByTimeAsync(0);

it("a tenant has at most half of the connections, and others get theirs meanwhile", async () => {
  const { enqueue, log, ends } = begun();
  for (const n of [1, 2, 3, 4, 5]) void enqueue(`a${n}`, "a", false);
  void enqueue("b1", "b");
  await turn();
  expect(log).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  ends.get("a2")?.done();
  await turn();
  expect(log.slice(5)).toEqual(["a2 done", "a5"]);
});

it("half of a tenant's share may wait for locks, so its reads continue", async () => {
  const { enqueue, log } = begun();
  for (const n of [1, 2, 3]) void enqueue(`a${n}`, "a");
  void enqueue("a reads", "a", false);
  await turn();
  expect(log).toEqual(["a1", "a2", "a reads"]);
});

it("two connections stay free for reads", async () => {
  const { enqueue, log, ends } = begun();
  for (const tenant of ["a", "b", "c", "d", "e", "f", "g"]) void enqueue(tenant, tenant);
  void enqueue("reads", "g", false);
  await turn();
  expect(log).toEqual(["a", "b", "c", "d", "e", "f", "reads"]);
  ends.get("c")?.done();
  await turn();
  expect(log.slice(7)).toEqual(["c done", "g"]);
});

it("a held row refuses the waiting writes of the same tenant, and no others", async () => {
  const { enqueue, log, ends } = begun();
  for (const n of [1, 2, 3, 4]) void enqueue(`a${n}`, "a");
  for (const n of [1, 2, 3]) void enqueue(`b${n}`, "b");
  await turn();
  log.length = 0;
  ends.get("a1")?.fail(new HeldUpError("a row is held"));
  await turn();
  expect(log.toSorted()).toEqual(["a1 refused", "a3 refused", "a4 refused"]);
  ends.get("b1")?.done();
  await turn();
  expect(log.slice(3)).toEqual(["b1 done", "b3"]);
});

it("queued work waits no longer than one lock timeout", async () => {
  const { enqueue, log } = begun();
  for (const n of [1, 2, 3]) void enqueue(`a${n}`, "a");
  await vi.advanceTimersByTimeAsync(1_999);
  expect(log).toEqual(["a1", "a2"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(log.slice(2)).toEqual(["a3 refused"]);
});

it("other failures refuse no waiting work and return the connection", async () => {
  const { enqueue, log, ends } = begun();
  for (const n of [1, 2, 3]) void enqueue(`a${n}`, "a");
  await turn();
  ends.get("a1")?.fail(new Error("a bad row"));
  await turn();
  expect(log.slice(2)).toEqual(["a1 failed", "a3"]);
});

it("another tenant's work begins at once, however many tenants wait for held rows", async () => {
  const { enqueue, log, ends } = begun();
  const held = ["a", "b", "c", "d", "e", "f"];
  for (const tenant of held) void enqueue(`${tenant}1`, tenant);
  await turn();
  for (const tenant of held) ends.get(`${tenant}1`)?.fail(new HeldUpError("a row is held"));
  await turn();
  log.length = 0;
  for (const tenant of held) for (const n of [2, 3]) void enqueue(`${tenant}${n}`, tenant);
  void enqueue("free", "g");
  await turn();
  expect(log).toEqual(["a2", "a3", "b2", "free"]);
  log.length = 0;
  ends.get("a2")?.done();
  await turn();
  expect(log).toEqual(["a2 done", "b3", "c2"]);
});

it("the tenants of a server have at most half of the connections together", async () => {
  spreadTenants((tenant) => tenant.slice(0, 1));
  const serverOf = new Map([
    ["a", "one"],
    ["b", "two"],
  ]);
  setClusterServers({ serverOf, hung: new Set() });
  try {
    const { enqueue, log, ends } = begun();
    for (const n of [1, 2, 3, 4, 5]) void enqueue(`a${n}`, `a${n}`, false);
    void enqueue("b1", "b1", false);
    await turn();
    expect(log).toEqual(["a1", "a2", "a3", "a4", "b1"]);
    ends.get("a1")?.done();
    await turn();
    expect(log.slice(5)).toEqual(["a1 done", "a5"]);
  } finally {
    spreadTenants(undefined);
    setClusterServers({ serverOf: new Map(), hung: new Set() });
  }
});
