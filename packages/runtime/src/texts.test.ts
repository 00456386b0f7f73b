import { expect, it } from "vitest";
import { compileTexts } from "./texts.ts";

it("a text with names is a function of them, and any other is itself", () => {
  const texts = compileTexts<{ plain: "Paid"; group: { named: "{amount} to {shop}, {amount}" } }>(
    { plain: "Paid", group: { named: "{shop}: {amount}, {amount}" } },
    "de",
  );
  expect(texts.plain).toBe("Paid");
  expect(texts.group.named({ amount: "$& {shop}", shop: 7 })).toBe("7: $& {shop}, $& {shop}");
});

it("a text that counts has the plural forms of its language, and the last one where a form is left out", () => {
  type Counting = { payments: "{count, plural, one {# payment} other {# payments}}" };
  const english = compileTexts<Counting>(
    { payments: "{count, plural, one {# payment} other {# payments}}" },
    "en",
  );
  expect([0, 1, 2, 21].map((count) => english.payments({ count }))).toEqual([
    "0 payments",
    "1 payment",
    "2 payments",
    "21 payments",
  ]);
  const polish = compileTexts<Counting>(
    { payments: "Masz {count, plural, one {płatność} few {# płatności} other {# (wiele)}}." },
    "pl",
  );
  expect([1, 3, 5, 22].map((count) => polish.payments({ count }))).toEqual([
    "Masz płatność.",
    "Masz 3 płatności.",
    "Masz 5 (wiele).",
    "Masz 22 płatności.",
  ]);
});
