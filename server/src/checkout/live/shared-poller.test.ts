import { expect, it } from "vitest";
import { systemClock } from "../../runtime/clock.ts";
import { createSharedPoller } from "./shared-poller.ts";

/** A database of versions by token, and what was asked of it. */
function aLook(versions: Map<string, string>) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  let isAway = false;
  const fail = () => {
    if (isAway) throw new Error("away");
  };
  const look = createSharedPoller({
    clock: systemClock,
    findChanged: async (tokens, known) => {
      asked.push(`changed of ${tokens.length}`);
      fail();
      return tokens.filter((token, n) => versions.get(token) !== known[n]);
    },
    read: async (tokens) => {
      asked.push(`read ${tokens.join(" ")}`);
      fail();
      const found = tokens.filter((token) => versions.has(token));
      return new Map(found.map((token) => [token, { json: token, version: versions.get(token) ?? "" }]));
    },
    onFailure: (error) => failures.push(error),
  });
  return { look, asked, failures, setAway: (away: boolean) => (isAway = away) };
}

const soon = (value: () => unknown) => expect.poll(value, { timeout: 450, interval: 5 });

it("those who come together are read together, and a hint makes it look at once", async () => {
  const versions = new Map([
    ["a", "1"],
    ["b", "1"],
  ]);
  const { look, asked } = aLook(versions);
  const told: string[] = [];
  const leave = ["a", "b", "a"].map((token) => look.follow(token, (json) => told.push(String(json))));
  await soon(() => told).toEqual(["a", "a", "b"]);
  expect(asked.splice(0)).toEqual(["read a b"]);
  versions.set("b", "2");
  look.hurry();
  await soon(() => told.length).toBe(4);
  expect(asked.splice(0)).toEqual(["changed of 2", "read b"]);
  for (const end of leave) end();
  look.hurry();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked).toEqual([]);
});

it("who comes later is told alone, and of a token of no charge that there is none", async () => {
  const { look } = aLook(new Map([["a", "1"]]));
  const told: (string | undefined)[] = [];
  look.follow("a", () => told.push("first"));
  await soon(() => told).toEqual(["first"]);
  look.follow("a", () => told.push("second"));
  look.follow("x", (json) => told.push(json));
  await soon(() => told).toEqual(["first", "second", undefined]);
  look.stop();
});

it("what was read before a change was found does not count, and who polls is told of it by whoever reads first", async () => {
  const { look } = aLook(new Map([["a", "1"]]));
  const told: string[] = [];
  look.follow("a", (json) => told.push(String(json)));
  await soon(() => told).toEqual(["a"]);
  const longAgoMs = systemClock.monotonicMs() - 5_000;
  look.keep("a", { json: "old", version: "0" }, longAgoMs);
  expect(told).toEqual(["a"]);
  look.keep("a", { json: "new", version: "2" }, systemClock.monotonicMs());
  expect(told).toEqual(["a", "new"]);
  expect(await look.recall("a")).toBe("new");
  look.stop();
});

it("a look that fails is told, and follows its pages on when the database is back", async () => {
  const { look, failures, setAway } = aLook(new Map([["a", "1"]]));
  setAway(true);
  const told: string[] = [];
  look.follow("a", (json) => told.push(String(json)));
  await soon(() => failures.length).toBe(1);
  setAway(false);
  look.hurry();
  await soon(() => told).toEqual(["a"]);
  look.stop();
});
