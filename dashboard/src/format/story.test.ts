import type { Deposit, DepositAddress, WebhookDelivery } from "@daric/sdk/contract";
import { expect, it } from "vitest";
import { storyOf } from "./story.ts";

const charge = {
  id: "c",
  currency: "USDT",
  expected_amount: "25.5",
  created_at: "2026-01-01T10:00:00Z",
  expires_at: "2026-01-01T11:00:00Z",
  status: "ARCHIVED",
  quote_rate: null,
  accepted_at: null,
} as DepositAddress;
const deposit = {
  id: "d",
  currency: "USDT",
  amount: "25.5",
  tx_hash: "ab",
  block_number: 7,
  detected_at: "2026-01-01T10:05:00Z",
  confirmed_at: "2026-01-01T10:06:00Z",
  status: "CONFIRMED",
  late: false,
  unmatched: false,
} as Deposit;
const delivery = {
  id: "w",
  event_type: "order.paid",
  status: "DELIVERED",
  last_status_code: 200,
  last_error: null,
  updated_at: "2026-01-01T10:06:02Z",
} as WebhookDelivery;

it("a payment's story is one line of time, first to last", () => {
  const story = storyOf({ charge, deposits: [deposit], deliveries: [delivery] });
  expect(story.map(({ text }) => text)).toEqual([
    "Created for 25.50 USDT",
    "25.50 USDT seen in block 7",
    "25.50 USDT is final",
    "Your server took order.paid and answered 200",
  ]);
});

it("the end of the time to pay stands where it will be", () => {
  const open = { ...charge, status: "ACTIVE" } as DepositAddress;
  const story = storyOf({ charge: open, deposits: [], deliveries: [] });
  expect(story.at(-1)).toMatchObject({ at: "2026-01-01T11:00:00Z", text: "The time to pay ends" });
});

it("an event that did not arrive says why, and how often it was tried", () => {
  const failed = { ...delivery, status: "FAILED", last_error: "timeout", attempt_count: 3 } as WebhookDelivery;
  const [moment] = storyOf({ charge, deposits: [], deliveries: [failed] }).slice(-1);
  expect(moment).toMatchObject({
    tone: "attention",
    text: "order.paid did not reach your server. Your server did not answer in time",
    detail: "3 attempts",
  });
});
