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
const none = { block_number: null, tx_hash: null, status_code: null, error: null, endpoint: null };
const sources = { charge, deposits: [deposit], entries: [], notes: [], nameOf: () => "Ada" };

it("a payment's story is one line of time, first to last", () => {
  const story = storyOf({
    ...sources,
    entries: [
      { ...none, at: "2026-01-01T10:06:02Z", kind: "attempt", id: "w", what: "order.paid", status_code: 200 },
      { ...none, at: "2026-01-01T10:05:00Z", kind: "deposit", id: "d", what: "DETECTED", block_number: 7 },
      { ...none, at: "2026-01-01T10:06:00Z", kind: "deposit", id: "d", what: "CONFIRMED" },
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
  const steps = ["CONFIRMED", "CONFIRMING", "DETECTED"].map((what) => ({
    ...none,
    at,
    kind: "deposit" as const,
    id: "d",
    what,
    block_number: 7,
  }));
  expect(storyOf({ ...sources, entries: steps }).map(({ text }) => text)).toEqual([
    "Created for 25.50 USDT",
    "25.50 USDT seen in block 7",
    "25.50 USDT is being confirmed",
    "25.50 USDT is final",
  ]);
});

it("how a payment closed stands there once, also where a person closed it", () => {
  const closed = { ...none, at: "2026-01-03T11:00:00Z", kind: "closing" as const, id: "c" };
  const entries = [
    { ...closed, at: "2026-01-01T11:00:00Z", what: "expired" },
    { ...closed, at: "2026-01-02T11:00:00Z", what: "late_over" },
    { ...closed, what: "closed" },
  ];
  const textsOf = (notes: Parameters<typeof storyOf>[0]["notes"]) =>
    storyOf({ ...sources, entries, notes }).map(({ text }) => text);
  const before = ["Created for 25.50 USDT", "The time to pay is over", "The late window is over"];
  expect(textsOf([])).toEqual([...before, "Closed"]);
  const note = { id: "n", text: "no answer", by: "p", decision: "archive", created_at: closed.at };
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
  const note = { id: "n", text: "a friend", by: "p", decision: "accept", created_at: at };
  const byPerson = storyOf({ ...sources, charge: accepted, notes: [note] });
  expect(byPerson).toHaveLength(2);
  expect(byPerson.at(-1)).toMatchObject({ ...moment, detail: "Ada" });
});

it("an event that did not arrive says which, where and why, and leads to its delivery", () => {
  const entry = {
    ...none,
    at: "2026-01-01T10:06:00Z",
    kind: "attempt",
    id: "w",
    what: "order.paid",
  } as const;
  const failed = { ...entry, error: "timeout", endpoint: "https://shop.example/hook" };
  const [, moment] = storyOf({ ...sources, entries: [failed] });
  expect(moment).toMatchObject({
    tone: "attention",
    text: "An event did not arrive. Your server did not answer in time",
    detail: "order.paid · https://shop.example/hook",
    deliveryId: "w",
  });
});
