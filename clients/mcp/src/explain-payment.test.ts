import type { Deposit, DepositAddress } from "@daric/sdk/contract";
import { expect, it } from "vitest";
import { aDepositRow, anOrderRow } from "../test/sample-rows.ts";
import { explainPayment } from "./explain-payment.ts";

const BEFORE_END = new Date("2026-11-30T12:30:00Z");
const AFTER_END = new Date("2026-12-02T00:00:00Z");
const ended = {
  status: "EXPIRED",
  payment_status: "expired",
  updated_at: "2026-11-30T13:00:10.000Z",
} as const;

const cases: [
  title: string,
  row: Partial<DepositAddress>,
  deposits: Partial<Deposit>[],
  verdict: string,
  says: RegExp[],
][] = [
  [
    "nothing came, and there is time",
    {},
    [],
    "waiting",
    [/No money that counts/, /ends at 2026-11-30T13:00/, /id of the transaction/],
  ],
  [
    "nothing came in time",
    ended,
    [],
    "expired",
    [/No money that counts/, /ended at 2026-11-30T13:00/, /new order/],
  ],
  [
    "it was closed before its end",
    { status: "ARCHIVED", payment_status: "expired", updated_at: "2026-11-30T12:10:00.000Z" },
    [],
    "closed",
    [/No money that counts/],
  ],
  [
    "a transfer is not final",
    { payment_status: "confirming", amount_pending: "25.5" },
    [{ status: "CONFIRMING", confirmations: 7 }],
    "in_progress",
    [/0 USDT of 25.5 USDT are final/, /7 of 19 confirmations/, /19 blocks/],
  ],
  [
    "a transfer is stuck since the nodes do not agree",
    { payment_status: "confirming" },
    [{ status: "STUCK", stuck_reason: "quorum" }],
    "in_progress",
    [/waits unusually long: the nodes of the service do not agree/],
  ],
  [
    "a part came, and there is time",
    { payment_state: "under", amount_received: "10" },
    [{ amount: "10" }],
    "short",
    [/10 USDT of 25.5 USDT are final: 15.5 USDT are missing/, /can send the rest to the same address/],
  ],
  [
    "a part came, and its time is over",
    { ...ended, payment_state: "under", amount_received: "10" },
    [{ amount: "10" }],
    "short",
    [/15.5 USDT are missing/, /ended at/, /ask for the rest, return the money, or accept/],
  ],
  [
    "a part of a price in fiat came, and no sum of coins says what is missing",
    { payment_state: "under", amount_received: "10", fiat_amount: "25", fiat_currency: "EUR" },
    [],
    "short",
    [/10 USDT of 25.5 USDT are final\./],
  ],
  [
    "all of it came too late",
    { ...ended, payment_state: "exact", amount_received: "25.5", paid_late: true },
    [{ late: true }],
    "too_late",
    [/a part of it came too late/, /came after the time to pay/, /accept the late money/],
  ],
  [
    "it is paid",
    { payment_status: "paid", payment_state: "exact", amount_received: "25.5" },
    [{}],
    "paid",
    [/It is paid/],
  ],
  [
    "more than was due came",
    { payment_status: "paid", payment_state: "over", amount_received: "30" },
    [{ amount: "30" }],
    "paid",
    [/More came than was due/, /may return the surplus/],
  ],
  [
    "a short order was accepted",
    {
      payment_status: "paid",
      payment_state: "under",
      amount_received: "20",
      accepted_at: "2026-11-30T14:00:00.000Z",
    },
    [],
    "paid",
    [/the merchant accepted 20 USDT of 25.5 USDT/],
  ],
  [
    "another coin came",
    {},
    [{ unmatched: true, currency: "TRX", amount: "25.5" }],
    "waiting",
    [/25.5 TRX is in another coin/, /returns it by hand/],
  ],
  ["a transfer failed", {}, [{ status: "FAILED" }], "waiting", [/failed: it never became money/]],
  ["a transfer lost its block", {}, [{ status: "REORG_PENDING" }], "waiting", [/lost its block/]],
  [
    "the rate of a price in fiat lapsed",
    { fiat_amount: "25", fiat_currency: "EUR", quote_expires_at: "2026-11-30T12:10:00.000Z" },
    [],
    "waiting",
    [/rate lapsed at 2026-11-30T12:10/],
  ],
  [
    "it is the rest of another one",
    { rest_of: "first" },
    [],
    "waiting",
    [/money that the payment first is short of/],
  ],
  [
    "the address takes any amount",
    { kind: "receive", amount_due: null, expires_at: null, amount_received: "7" },
    [],
    "any_amount",
    [/nothing is due. 7 USDT are final/],
  ],
];

it.each(cases)("explains that %s", (_title, row, deposits, verdict, says) => {
  const now = row.status === "EXPIRED" ? AFTER_END : BEFORE_END;
  const explained = explainPayment(anOrderRow(row), deposits.map(aDepositRow), now);
  expect(explained.verdict).toBe(verdict);
  const text = [...explained.reasons, ...explained.nextSteps].join("\n");
  for (const sentence of says) expect(text).toMatch(sentence);
});

it("no text that people typed is in an explanation", () => {
  const typed = "TYPED";
  const row = { order_ref: typed, label: typed, customer_ref: typed, accept_reason: typed, payer_ref: typed };
  for (const [, own, deposits] of cases) {
    const rows = deposits.map((deposit) =>
      aDepositRow({ ...deposit, order_ref: typed, failure_reason: typed }),
    );
    expect(JSON.stringify(explainPayment(anOrderRow({ ...own, ...row }), rows, BEFORE_END))).not.toContain(
      typed,
    );
  }
});
