import { fieldRules } from "@daric/server/domain/field-rule";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { en } from "../words/en/en.ts";
import { es } from "../words/es.ts";
import * as catalogue from "../words/words.ts";
import { ruleText } from "./field-rule.ts";

beforeAll(async () => {
  await catalogue.speak("en");
});

afterEach(() => vi.restoreAllMocks());

it("each rule of the service has a text here, which takes its limits, and no other has one", () => {
  expect(Object.keys(en.rules).sort()).toEqual(Object.keys(fieldRules).sort());
  for (const [name, text] of Object.entries(en.rules)) {
    const { length } = fieldRules[name as keyof typeof fieldRules];
    expect([name, typeof text === "function" ? text.length : 0]).toEqual([name, length]);
  }
});

it("the service's rule of a field is said in the language of the pages, with its limits", () => {
  vi.spyOn(catalogue, "words", "get").mockReturnValue(es);
  const length = {
    message: "must have 12 to 200 characters",
    rule: { name: "length", limits: ["12", "200"] },
  };
  expect(ruleText(length)).toBe(es.rules.length("12", "200"));
  const email = { message: "must be an e-mail address", rule: { name: "email", limits: [] } };
  expect(ruleText(email)).toBe(es.rules.email);
});

it("a rule without a name, or with one that is not known here, keeps the service's words", () => {
  const message = "must leave at most 5 matching deliveries";
  expect(ruleText({ message })).toBe(message);
  expect(ruleText({ message, rule: { name: "toString", limits: [] } })).toBe(message);
});
