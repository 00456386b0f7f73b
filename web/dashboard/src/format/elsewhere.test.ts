import { beforeAll, expect, it } from "vitest";
import { speak } from "../words/words.ts";
import { elsewhereText } from "./elsewhere.ts";

beforeAll(async () => {
  await speak("en");
});

const address = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const nothing = { address: null, amount: null, currency: null };

it("a transaction that is no payment of the merchant has a sentence, with its money and address where it has them", () => {
  const paid = { address, amount: "3", currency: "TRX" } as const;
  expect(elsewhereText({ result: "other_address", ...paid })).toBe(
    `This transaction paid 3.00 TRX to ${address}. That is no address of yours.`,
  );
  expect(elsewhereText({ result: "other_address", address, amount: null, currency: null })).toContain(
    `paid another token to ${address}`,
  );
  expect(elsewhereText({ result: "other_address", ...nothing })).toBe("This transaction moved no money.");
  expect(elsewhereText({ result: "seen", ...paid })).toContain("pays 3.00 TRX to your address");
  expect(elsewhereText({ result: "other_token", ...nothing, address })).toContain(
    "a token that is not accepted",
  );
  expect(elsewhereText({ result: "missed", ...paid })).toContain("Ask your operator");
  for (const result of ["failed", "not_on_tron", "not_found", "no_answer"] as const)
    expect(elsewhereText({ result, ...nothing })).not.toMatch(/[{}]|undefined|null/);
});
