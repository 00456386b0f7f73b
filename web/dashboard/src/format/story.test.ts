import type { Deposit, DepositAddress } from "@daric/sdk/contract";
import { beforeAll, expect, it } from "vitest";
import { speak } from "../words/words.ts";
import { storyOf } from "./story.ts";

beforeAll(async () => {
  await speak("en");
});

const charge = {
  id: "c",
  currency: "USDT",
  expected_amount: "25.5",
  created_at: "2026-01-01T10:00:00Z",
  expires_at: "2026-01-01T11:00:00Z",
  status: "ARCHIVED",
  accepted_at: null,
  accept_reason: null,
} as DepositAddress;
const deposit = { id: "d", currency: "USDT", amount: "25.5", late: false, unmatched: false } as Deposit;
const attempt = {
  kind: "attempt",
  id: "w",
  type: "order.paid",
  status_code: null,
  error: null,
  endpoint: "https://shop.example/hook",
} as const;
const step = { kind: "deposit", id: "d", block_number: 7, tx_hash: "ab" } as const;
const sources = { charge, deposits: [deposit], entries: [], notes: [], nameOf: () => "Ada" };

it("a payment's story is one line of time, first to last", () => {
  const story = storyOf({
    ...sources,
    entries: [
      { ...attempt, at: "2026-01-01T10:06:02Z", status_code: 200 },
      { ...step, at: "2026-01-01T10:05:00Z", status: "DETECTED" },
      { ...step, at: "2026-01-01T10:06:00Z", status: "CONFIRMED" },
    ],
    notes: [{ id: "n", text: "Sent by post", by: "p", decision: null, created_at: "2026-01-02T09:00:00Z" }],
  });
  expect(story.map(({ text }) => text)).toEqual([
    "Created for 25.50 USDT",
    "25.50 USDT seen in block 7",
    "25.50 USDT is final",
    "Your server took the event and answered 200",
    "Note: Sent by post",
  ]);
  expect(story.at(-1)?.detail).toBe("Ada");
});

it("steps of one time stand in their order", () => {
  const at = "2026-01-01T10:05:00Z";
  const steps = (["CONFIRMED", "CONFIRMING", "DETECTED"] as const).map((status) => ({ ...step, at, status }));
  expect(storyOf({ ...sources, entries: steps }).map(({ text }) => text)).toEqual([
    "Created for 25.50 USDT",
    "25.50 USDT seen in block 7",
    "25.50 USDT is being confirmed",
    "25.50 USDT is final",
  ]);
});

it("how a payment closed stands there once, also where a person closed it", () => {
  const closed = { at: "2026-01-03T11:00:00Z", kind: "closing", id: "c" } as const;
  const entries = [
    { ...closed, at: "2026-01-01T11:00:00Z", how: "expired" },
    { ...closed, at: "2026-01-02T11:00:00Z", how: "late_over" },
    { ...closed, how: "closed" },
  ] as const;
  const textsOf = (notes: Parameters<typeof storyOf>[0]["notes"]) =>
    storyOf({ ...sources, entries, notes }).map(({ text }) => text);
  const before = ["Created for 25.50 USDT", "The time to pay is over", "The late window is over"];
  expect(textsOf([])).toEqual([...before, "Closed"]);
  const note = { id: "n", text: "no answer", by: "p", decision: "archive" as const, created_at: closed.at };
  expect(textsOf([note])).toEqual([...before, "Closed: no answer"]);
});

it("the end of the time to pay stands where it will be, and not in the story of a paid order", () => {
  const open = { ...charge, status: "ACTIVE" } as DepositAddress;
  const ends = { at: "2026-01-01T11:00:00Z", text: "The time to pay ends" };
  expect(storyOf({ ...sources, charge: open }).at(-1)).toMatchObject(ends);
  expect(storyOf(sources)).toHaveLength(1);
});

it("an acceptance has its reason once: with its person from the dashboard, alone from a program", () => {
  const at = "2026-01-01T12:00:00Z";
  const accepted = { ...charge, accepted_at: at, accept_reason: "a friend" } as DepositAddress;
  const moment = { at, text: "Accepted as paid: a friend" };
  const byProgram = storyOf({ ...sources, charge: accepted });
  expect(byProgram).toHaveLength(2);
  expect(byProgram.at(-1)).toMatchObject(moment);
  const note = { id: "n", text: "a friend", by: "p", decision: "accept" as const, created_at: at };
  const byPerson = storyOf({ ...sources, charge: accepted, notes: [note] });
  expect(byPerson).toHaveLength(2);
  expect(byPerson.at(-1)).toMatchObject({ ...moment, detail: "Ada" });
});

it("an event that did not arrive says which, where and why, and leads to its delivery", () => {
  const failed = { ...attempt, at: "2026-01-01T10:06:00Z", error: "timeout" };
  const [, moment] = storyOf({ ...sources, entries: [failed] });
  expect(moment).toMatchObject({
    tone: "attention",
    text: "An event did not arrive. Your server did not answer in time",
    detail: "order.paid · https://shop.example/hook",
    deliveryId: "w",
  });
});

it("a deposit that waits says for what: each check of it stands in words since when it is so", () => {
  const check = { kind: "check", id: "d", at: "2026-01-01T10:06:00Z" } as const;
  const entries = [
    { ...step, at: "2026-01-01T10:16:00Z", status: "STUCK" },
    { ...check, name: "solidity", result: "passed" },
    { ...check, at: "2026-01-01T10:07:00Z", name: "quorum", result: "waiting" },
  ] as const;
  const [, ...moments] = storyOf({ ...sources, entries });
  expect(moments).toMatchObject([
    { tone: "quiet", text: "The network will not take its block back", detail: "25.50 USDT" },
    {
      tone: "attention",
      text: "25.50 USDT waits until the nodes agree about it",
      detail: "You need do nothing",
    },
    { text: "25.50 USDT takes unusually long to become final" },
  ]);
});
