import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { createSharedPoller } from "./shared-poller.ts";

/** A database of versions by token, and the record of its queries. */
function aPoller(versions: Map<string, string>) {
  const queries: string[] = [];
  const failures: unknown[] = [];
  let isAway = false;
  const fail = () => {
    if (isAway) throw new Error("away");
  };
  const poller = createSharedPoller({
    clock: systemClock,
    findChanged: async (tokens, known) => {
      queries.push(`changed of ${tokens.length}`);
      fail();
      return tokens.filter((token, n) => versions.get(token) !== known[n]);
    },
    read: async (tokens) => {
      queries.push(`read ${tokens.join(" ")}`);
      fail();
      const found = tokens.filter((token) => versions.has(token));
      return new Map(found.map((token) => [token, { json: token, version: versions.get(token) ?? "" }]));
    },
    onFailure: (error) => failures.push(error),
  });
  return { poller, queries, failures, setAway: (away: boolean) => (isAway = away) };
}

const soon = (value: () => unknown) => expect.poll(value, { timeout: 450, interval: 5 });

it("simultaneous subscribers are read together, and a wake-up triggers a poll at once", async () => {
  const versions = new Map([
    ["a", "1"],
    ["b", "1"],
  ]);
  const { poller, queries } = aPoller(versions);
  const notified: string[] = [];
  const leave = ["a", "b", "a"].map((token) =>
    poller.subscribe(token, (json) => notified.push(String(json))),
  );
  await soon(() => notified).toEqual(["a", "a", "b"]);
  expect(queries.splice(0)).toEqual(["read a b"]);
  versions.set("b", "2");
  poller.wake();
  await soon(() => notified.length).toBe(4);
  expect(queries.splice(0)).toEqual(["changed of 2", "read b"]);
  for (const end of leave) end();
  poller.wake();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(queries).toEqual([]);
});

it("a later subscriber alone is notified, and an unknown token gets undefined", async () => {
  const { poller } = aPoller(new Map([["a", "1"]]));
  const notified: (string | undefined)[] = [];
  poller.subscribe("a", () => notified.push("first"));
  await soon(() => notified).toEqual(["first"]);
  poller.subscribe("a", () => notified.push("second"));
  poller.subscribe("x", (json) => notified.push(json));
  await soon(() => notified).toEqual(["first", "second", undefined]);
  poller.stop();
});

it("a read from before a change does not count, and every caller gets the change from the first read", async () => {
  const { poller } = aPoller(new Map([["a", "1"]]));
  const notified: string[] = [];
  poller.subscribe("a", (json) => notified.push(String(json)));
  await soon(() => notified).toEqual(["a"]);
  const longAgoMs = systemClock.monotonicMs() - 5_000;
  poller.keep("a", { json: "old", version: "0" }, longAgoMs);
  expect(notified).toEqual(["a"]);
  poller.keep("a", { json: "new", version: "2" }, systemClock.monotonicMs());
  expect(notified).toEqual(["a", "new"]);
  expect(await poller.recall("a")).toEqual({ json: "new", version: "2" });
  poller.stop();
});

it("a failed poll is reported, and polls continue when the database is back", async () => {
  const { poller, failures, setAway } = aPoller(new Map([["a", "1"]]));
  setAway(true);
  const notified: string[] = [];
  poller.subscribe("a", (json) => notified.push(String(json)));
  await soon(() => failures.length).toBe(1);
  setAway(false);
  poller.wake();
  await soon(() => notified).toEqual(["a"]);
  poller.stop();
});
