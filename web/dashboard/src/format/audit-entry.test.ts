import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { loadBookWords } from "../words/book-words.ts";
import { speak, words } from "../words/words.ts";
import { actionText, changesOf } from "./audit-entry.ts";

beforeEach(async () => {
  await speak("en");
});

it("an act is said in the language of the pages, whatever part of the service wrote it", async () => {
  await speak("es");
  const { actions } = words.account.audit;
  expect(["create key", "key create", "createDepositAddress"].map(actionText)).toEqual([
    actions.keyCreated,
    actions.keyCreated,
    actions.paymentCreated,
  ]);
});

it("an act that is not known here keeps the log's name", () => {
  expect(["sweep pause", "toString"].map(actionText)).toEqual(["sweep pause", "toString"]);
});

it("only values that changed are shown, with their names and units", () => {
  const before = { role: "viewer", orderLifetimeSeconds: 3_600, name: "Blue Bottle" };
  const after = { role: "admin", orderLifetimeSeconds: 5_400, name: "Blue Bottle", reason: "asked" };
  expect(changesOf({ before, after })).toEqual([
    { field: "Role", before: "Viewer", after: "Admin" },
    { field: "Time to pay an order", before: "1h", after: "90m" },
  ]);
});

it("settings of the books have their names, and account codes are a list", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  onTestFinished(() => void vi.unstubAllGlobals());
  await loadBookWords();
  const after = { taxId: "DE1", bookCurrency: "EUR", accountCodes: { held: "1200", revenue: "8400" } };
  expect(changesOf({ before: { taxId: null, bookCurrency: "USD", accountCodes: {} }, after })).toEqual([
    { field: "Tax number", before: undefined, after: "DE1" },
    { field: "Currency of the books", before: "USD", after: "EUR" },
    { field: "Account codes", before: undefined, after: "held=1200, revenue=8400" },
  ]);
});

it("an act that only ends values shows them", () => {
  expect(changesOf({ before: { role: "viewer" }, after: null })).toEqual([
    { field: "Role", before: "Viewer", after: undefined },
  ]);
});
