import { fieldRules } from "@daric/domain/field-rule";
import { beforeEach, expect, it } from "vitest";
import { en } from "../words/en/en.ts";
import { speak, words } from "../words/words.ts";
import { ruleText } from "./field-rule.ts";

beforeEach(async () => {
  await speak("en");
});

it("each rule of the service has a text here, which takes its limits, and no other has one", () => {
  const { walletKeysShared, ...rules } = en.rules;
  // The digest of a wallet's keys is for programs.
  const said = { ...rules, walletKeys: `{0} ${rules.walletKeys} ${walletKeysShared}` };
  const limits = Object.entries(said).map(([name, text]) => [name, text.match(/\{\d\}/g) ?? []]);
  const named = Object.entries(fieldRules).map(([name, all]) => [name, all.map((_, index) => `{${index}}`)]);
  expect(Object.fromEntries(limits)).toEqual(Object.fromEntries(named));
});

it("keys that move a wallet's money alone have another sentence than keys that need the wallet's own", () => {
  const textOf = (...limits: string[]) => ruleText({ message: "", rule: { name: "walletKeys", limits } });
  expect([textOf("digest", "TA", "TB"), textOf("digest", "", "TB")]).toEqual([
    "Without its own key, other keys may move all of its money: TA.",
    "Its own key shares its rights with other keys: TB.",
  ]);
});

it("the service's rule of a field is said in the language of the pages, with its limits", async () => {
  await speak("es");
  const length = {
    message: "must have 12 to 200 characters",
    rule: { name: "length", limits: ["12", "200"] },
  };
  expect(ruleText(length)).toBe("Usa de 12 a 200 caracteres.");
  const email = { message: "must be an e-mail address", rule: { name: "email", limits: [] } };
  expect(ruleText(email)).toBe(words.rules.email);
});

it("a rule without a name, or with one that is not known here, keeps the service's words", () => {
  const message = "must leave at most 5 matching deliveries";
  expect(ruleText({ message })).toBe(message);
  expect(ruleText({ message, rule: { name: "toString", limits: [] } })).toBe(message);
});
