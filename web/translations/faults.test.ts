import { describe, expect, it } from "vitest";
import { faultOf, findTranslationFaults } from "./faults.ts";

const texts = (entries: Record<string, string>) => new Map(Object.entries(entries));
const english = texts({
  title: "Paid",
  back: "Back to {shop}",
  tiny: "{count, plural, one {# coin} other {# coins}}",
});
const german = { title: "Bezahlt", back: "Zurück zu {shop}", tiny: "Münzen: {count}" };

describe("a translation", () => {
  it("is faultless with the keys and names of the English one, in forms of its own", () => {
    expect(findTranslationFaults(english, texts(german))).toEqual([]);
  });

  it("has a fault for a key that is missing, left over or empty", () => {
    const { title: _, ...rest } = german;
    expect(findTranslationFaults(english, texts(rest))).toEqual(["title: missing"]);
    expect(findTranslationFaults(english, texts({ ...german, old: "Alt" }))).toEqual(["old: left over"]);
    expect(findTranslationFaults(english, texts({ ...german, title: " " }))).toEqual(["title: empty"]);
  });

  it.each([
    ["Zurück", "has the names of none instead of shop"],
    ["Zurück zu {laden}", "has the names laden instead of shop"],
    ["{shop} {shop}", "has the names shop, shop instead of shop"],
    ["Zurück zu '{shop}'", "has the names of none instead of shop"],
    ["Zurück zu {shop", "EXPECT_ARGUMENT_CLOSING_BRACE"],
    ["Zurück zu {shop, number}", "only {name} and {name, plural, …} are read"],
    ["{shop, select, a {b} other {c}}", "only {name} and {name, plural, …} are read"],
    ["{shop, plural, =1 {b} other {c}}", "a plural form has only words and #"],
    ["{shop, plural, one {b {shop}} other {c}}", "a plural form has only words and #"],
    ["{shop, plural, other {c} one {b}}", "the form `other` is the last"],
  ])("has a fault for the text %s", (text, fault) => {
    expect(faultOf("Back to {shop}", text)).toBe(fault);
  });
});
