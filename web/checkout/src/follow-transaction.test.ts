import { expect, it } from "vitest";
import { followTransaction } from "./follow-transaction.ts";

const id = "4b9d".padEnd(64, "0");
const GONE = "gone";
type Answer = { result?: string; text?: string; retryMs?: number } | "no answer";

/** Follows a transaction of 60 s whose look-ups get these answers, the last one again and again. */
async function follow(answers: readonly Answer[], shows = false) {
  let nowMs = 0;
  let looks = 0;
  const times: number[] = [];
  const text = await followTransaction(
    { id, expiresMs: 60_000 },
    {
      clock: { now: () => nowMs },
      lookUp: async () => {
        times.push(nowMs / 1_000);
        const answer = answers[Math.min(looks++, answers.length - 1)] ?? "no answer";
        if (looks > 50) throw new Error("no end");
        return answer === "no answer" ? undefined : { text: "", retryMs: 0, result: undefined, ...answer };
      },
      pause: async (ms) => {
        nowMs += ms;
      },
      seen: () => (shows ? `confirming ${id}` : "awaiting"),
      offersPayment: () => true,
    },
    { walletGone: GONE },
  );
  return { text, times };
}

const unknown = { result: "not_found", retryMs: 20_000 };

it("the page says within 30 s that it failed, in the look-up's words", async () => {
  const { text, times } = await follow([unknown, { result: "failed", text: "failed" }]);
  expect([text, times]).toEqual(["failed", [8, 28]]);
});

it("it is gone a minute after its expiry, and not before", async () => {
  const { text, times } = await follow([unknown]);
  expect(text).toBe(GONE);
  expect(times.at(-1)).toBeGreaterThan(120);
  expect(times.at(-2)).toBeLessThanOrEqual(120);
});

it("without an answer nothing is concluded, and the waits are the service's", async () => {
  const refused = { retryMs: 60_000 };
  const { text, times } = await follow([
    "no answer",
    refused,
    "no answer",
    "no answer",
    "no answer",
    unknown,
  ]);
  expect([text, times]).toEqual([GONE, [8, 23, 83, 98, 113, 128]]);
});

it("found money is left to the page; if it never shows there, the look-ups go on", async () => {
  const seen = { result: "seen", text: "found" };
  expect((await follow([seen], true)).text).toBeUndefined();
  expect((await follow([seen, unknown])).text).toBe(GONE);
  expect((await follow([{ result: "counted" }])).text).toBeUndefined();
});

it("at most four look-ups a minute are made, so that the payer has two", async () => {
  const { times } = await follow([
    { result: "busy", retryMs: 1_000 },
    ...Array(11).fill("no answer"),
    unknown,
  ]);
  for (const time of times)
    expect(times.filter((later) => later >= time && later < time + 60).length).toBeLessThanOrEqual(4);
});
