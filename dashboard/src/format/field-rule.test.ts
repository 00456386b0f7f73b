import { afterEach, expect, it, vi } from "vitest";
import { es } from "../words/es.ts";
import * as catalogue from "../words/words.ts";
import { ruleText } from "./field-rule.ts";

afterEach(() => vi.restoreAllMocks());

it("the service's rule of a field is said in the language of the pages, with its numbers", () => {
  vi.spyOn(catalogue, "words", "get").mockReturnValue(es);
  expect(ruleText("must have 12 to 200 characters")).toBe(es.rules.length("12", "200"));
  expect(ruleText("must be an e-mail address like ada@shop.example")).toBe(es.rules.email);
  expect(ruleText("is no TRON address: it must have 34 characters and start with T")).toBe(es.rules.address);
});

it("a rule that is not known here keeps the service's words", () => {
  expect(ruleText("must leave at most 5 matching deliveries")).toBe(
    "must leave at most 5 matching deliveries",
  );
});
