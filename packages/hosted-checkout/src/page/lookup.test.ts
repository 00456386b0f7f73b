import type { LookupAnswer } from "@daric/domain/lookup";
import { amount, aPageInput, type LoadedChargeOverrides } from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { lookupPart } from "./lookup.ts";
import { panelPart } from "./page.ts";
import { pageView } from "./view.ts";

const expired = { isExpired: true, status: "EXPIRED" } as const;

function part(charge: LoadedChargeOverrides = {}, lookup?: LookupAnswer): string {
  return String(lookupPart(pageView({ ...aPageInput(charge), lookup })) ?? "");
}

describe("a payer who misses a payment", () => {
  it("can look it up while it is awaited, short, expired or closed, and not once it was found", () => {
    const offered: LoadedChargeOverrides[] = [
      {},
      { kind: "receive", expiresAt: null, confirmed: "1", due: null },
      { confirmed: "24.5" },
      expired,
      { ...expired, confirmed: "24.5" },
      { status: "ARCHIVED" },
    ];
    for (const charge of offered) expect([charge, part(charge) !== ""]).toEqual([charge, true]);
    for (const charge of [{ pending: "25.5" }, { confirmed: "25.5", status: "ARCHIVED" as const }])
      expect([charge, part(charge)]).toEqual([charge, ""]);
  });

  it("sees the form folded up, and open with a result", () => {
    expect(part()).toMatch(/^<details class="lookup"><summary>/);
    expect(part()).toMatch(/<form method="post"(?![^>]*action)/);
    expect(part({ pending: "25.5" }, { result: "failed" })).toMatch(/^<details class="lookup" open>/);
  });

  it.each<[string, LookupAnswer]>([
    ["final and counted", { result: "counted", amount: amount("25.5"), currency: "USDT", isDust: false }],
    [
      "7 of 19 confirmations",
      {
        result: "seen",
        amount: amount("25.5"),
        currency: "USDT",
        isDust: false,
        confirmations: 7,
        requiredConfirmations: 19,
      },
    ],
    ["failed on the chain", { result: "failed" }],
    ["ends in bLSE", { result: "other_address", addressEnd: "bLSE" }],
    [
      "only looks like this one: TL1exs…R9rbBL instead of TYWUK9…MmrbBL",
      {
        result: "other_address",
        addressEnd: "rbBL",
        lookAlike: { other: "TL1exs…R9rbBL", here: "TYWUK9…MmrbBL" },
      },
    ],
    ["sent nothing to the address", { result: "other_address", addressEnd: null }],
    ["this payment is in USDT", { result: "other_token", amount: amount("50"), currency: "TRX" }],
    ["another token than USDT", { result: "other_token", amount: null, currency: null }],
    ["looks like an Ethereum hash", { result: "not_on_tron" }],
    ["Not found yet", { result: "not_found", retryAfterSeconds: 60 }],
    ["try again in 17 seconds", { result: "busy", retryAfterSeconds: 17 }],
    ["no transaction ID", { result: "not_an_id" }],
  ])("sees a result as a sentence: … %s …", (texts, answer) => {
    const shown = /data-answer>(.*?)<\/p>/.exec(part({}, answer))?.[1];
    expect(shown?.replace(/<[^>]*>/g, "")).toContain(texts);
  });
});

it("the demo wallet's panel is on a devnet's page, and on no other", () => {
  const panelOn = (network: Parameters<typeof aPageInput>[2]) =>
    String(panelPart(pageView(aPageInput({}, {}, network))) ?? "");
  expect([...panelOn("devnet").matchAll(/data-case="(\w+)"/g)].map(([, name]) => name)).toEqual([
    "exact",
    "under",
    "over",
    "twice",
    "wrong_coin",
    "late",
  ]);
  for (const network of ["mainnet", "nile", "shasta", "private"] as const)
    expect([network, panelOn(network)]).toEqual([network, ""]);
});
