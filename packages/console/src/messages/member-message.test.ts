import { personMessageKinds } from "@daric/domain/message";
import {
  addressesOf,
  harmlessLike,
  hostileTexts,
  plain,
  seenLines,
  tagsOf,
} from "@daric/testing/mail-reader";
import { memberSamples } from "@daric/testing/message-samples";
import { describe, expect, it } from "vitest";
import type { MemberFacts } from "./member-facts.ts";
import { renderMemberMessage } from "./member-message.ts";

const DASHBOARD = "https://pay.example/dashboard";
const SETTINGS = `${DASHBOARD}/messages`;

/** The subject, the lead, and the page of the dashboard that each kind leads to. */
const expected: Readonly<
  Record<MemberFacts["kind"], readonly [subject: string, lead: string, page: string]>
> = {
  paid: [
    "Paid: 25.50 USDT, order A-1042",
    "You can deliver order A-1042.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  paid_late: [
    "Paid too late: 25.50 USDT",
    "The money for an order without a reference came after its time to pay. Look at the payment before you deliver: it may need your decision.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  underpaid: [
    "Missing: 15.50 USDT, order A-1042",
    "Only 10.00 USDT came for order A-1042. Ask for the rest, accept it, or refund it.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  overpaid: [
    "Too much: 4.50 USDT, order A-1042",
    "30.00 USDT came for order A-1042. Deliver, and refund the surplus.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  accepted: [
    "Accepted as paid: 25.00 USDT, order A-1042",
    "You can deliver order A-1042: it was accepted with what came.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  other_coin: [
    "Paid in another coin: 50 TRX, order A-1042",
    "It came for order A-1042, which asks for another coin, so no sum counts it. Agree with the customer.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  stuck: [
    "Takes unusually long: 50 TRX, order A-1042",
    "Do not deliver yet.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  refund_requested: [
    "Refund asked for: 4.50 USDT, order A-1042",
    "It is of order A-1042, and waits for the payer's address.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  refund_ready: [
    "Refund to pay: 4.50 USDT, order A-1042",
    "Open the payment, and pay from a wallet of yours: the service pays no refund.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  refund_completed: [
    "Refund paid: 4.50 USDT, order A-1042",
    "There is nothing to do.",
    "/payments/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  settlement_completed: [
    "Settled: 1\u202f200.00 USDT",
    "There is nothing to do.",
    "/settlements/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  settlement_failed: [
    "Settlement failed, 0.00 USDT arrived",
    "ask the operator",
    "/settlements/0190a8e2-1c1c-7000-8000-000000000001",
  ],
  endpoint_failing: ["Webhooks fail: shop.\u200cexample", "Check your server.", "/webhooks"],
  endpoint_disabled: [
    "Webhook endpoint disabled: shop.\u200cexample",
    "It gets no attempt until you enable it again in the dashboard.",
    "/webhooks",
  ],
  paid_hour: [
    "12 orders paid: 1\u202f250.50 USDT + 320 TRX",
    "All paid orders of the shop in this hour. After 20 paid orders in a day",
    "/payments",
  ],
  daily_summary: [
    "November 20, 2026: 31 orders paid, 1\u202f250.50 USDT + 320 TRX",
    "Waiting for your decision: 3 payments.",
    "/inbox",
  ],
  monthly_statement: ["Statement of October 2026", "is attached", "/settlement"],
  channel_failed: ["Telegram refused a message", "Each later message is tried there again.", "/messages"],
  channel_test: ["Test: messages arrive here", "There is nothing to do.", "/messages"],
};

/** Marks that reorder text, but for the isolates that the message sets itself. */
const REORDERS = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/;
const unbroken = (text: string) => text.replaceAll("\u00a0", " ");
const one = (kind: MemberFacts["kind"]) =>
  memberSamples.find((sample) => sample.kind === kind) as MemberFacts;

it("the message about a refused mail address says that it rests for a week", () => {
  const channel = { kind: "mail", name: null, why: "the mail server refused it" } as const;
  const { subject, text } = renderMemberMessage({ ...one("channel_test"), kind: "channel_failed", channel });
  expect(subject).toBe("E-mail refused a message");
  expect(text).toContain("No mail is tried for a week.");
});

it("each kind of message to members has a text", () => {
  const kinds = memberSamples.map(({ kind }) => kind);
  for (const kind of personMessageKinds) expect(kinds).toContain(kind);
  expect(kinds.toSorted()).toEqual(Object.keys(expected).toSorted());
});

describe.each(memberSamples.map((sample) => [sample.kind, sample] as const))(
  "the message %s",
  (kind, facts) => {
    const letter = renderMemberMessage(facts);
    const [subject, lead, page] = expected[kind];

    it("says what happened with amount and reference, and what to do", () => {
      expect(unbroken(letter.subject)).toBe(subject);
      expect(unbroken(plain(letter.text))).toContain(lead);
    });

    it("leads to its page of the dashboard and to the settings, and to nothing else", () => {
      expect(addressesOf(letter)).toEqual([...new Set([`${DASHBOARD}${page}`, SETTINGS])].sort());
      expect(unbroken(letter.short)).toBe(`${subject}\n${DASHBOARD}${page}`);
      const { text, html, short } = renderMemberMessage({ ...facts, dashboardUrl: null, settingsUrl: null });
      for (const part of [text, html, short]) expect(part).not.toMatch(/https?:|href/);
    });

    it("says in its plain part all that its HTML part says, and why it came", () => {
      const read = plain(letter.text);
      expect(seenLines(letter.html).filter((line) => !read.includes(line))).toEqual([]);
      expect(read).toContain("by your choice of messages for Blue Bottle Books at pay.example");
      expect(Buffer.byteLength(letter.html)).toBeLessThanOrEqual(30_000);
    });

    it("says on a test network that the coins have no value", () => {
      const test = renderMemberMessage({ ...facts, network: "shasta" });
      expect(test.subject).toBe(`[Test] ${letter.subject}`);
      expect(test.text).toContain("Coins here have no value.");
      expect(letter.text).not.toContain("no value");
    });
  },
);

describe("a text of a merchant", () => {
  const withText = (sample: MemberFacts, text: string): MemberFacts => {
    const facts = { ...sample, merchantName: text };
    if ("order" in facts) return { ...facts, order: { ...facts.order, orderRef: text } };
    if ("refund" in facts) return { ...facts, refund: { ...facts.refund, orderRef: text, reason: text } };
    return "deposit" in facts ? { ...facts, deposit: { ...facts.deposit, orderRef: text } } : facts;
  };

  it.each(hostileTexts)("adds no element, line, link, mention or change of direction: %j", (text) => {
    const isBlank = text.replace(/[\s\u200b]/g, "") === "";
    for (const sample of memberSamples) {
      const letter = renderMemberMessage(withText(sample, text));
      const harmless = renderMemberMessage(withText(sample, isBlank ? "" : harmlessLike(text)));
      expect(tagsOf(letter.html)).toEqual(tagsOf(harmless.html));
      expect(addressesOf(letter)).toEqual(addressesOf(renderMemberMessage(sample)));
      expect([...letter.subject].length).toBeLessThanOrEqual(150);
      expect(letter.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(letter.short.split("\n").length).toBe(2);
      for (const part of [letter.subject, letter.text, letter.html, letter.short]) {
        expect(part).not.toMatch(REORDERS);
        expect(part).not.toMatch(/evil\.example|@evil|@everyone|@victim/);
        expect(part).not.toMatch(/\p{Cs}/u);
      }
    }
  });
});

it("a statement attaches its files", () => {
  expect(renderMemberMessage(one("monthly_statement")).attachments.map(({ filename }) => filename)).toEqual([
    "statement-2026-10.csv",
  ]);
});

it("a day without orders and decisions says so", () => {
  const facts = one("daily_summary");
  if (facts.kind !== "daily_summary") throw new Error("not a summary");
  const letter = renderMemberMessage({
    ...facts,
    summary: { ...facts.summary, orders: 1, sums: [], waiting: 0 },
  });
  expect(letter.subject).toBe("November 20, 2026: 1 order paid");
  expect(letter.text).toContain("No payment waits for your decision.");
  expect(letter.short).toBe(`November 20, 2026: 1 order paid\n${DASHBOARD}/`);
});

it("an hour has the clock of the member", () => {
  expect(renderMemberMessage(one("paid_hour")).text).toContain("Time: 14:00–15:00 Europe/Berlin");
});
