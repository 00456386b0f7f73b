import { injections } from "@daric/testing/injections";
import fc from "fast-check";
import { expect, it } from "vitest";
import { foreignText } from "./foreign-text.ts";

it("a text of people is one line of at most 120 visible characters, whatever they typed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 300 }), (points) => {
      const text = foreignText(String.fromCodePoint(...points)) ?? "";
      expect([...text].length).toBeLessThanOrEqual(120);
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\n]/u);
    }),
  );
});

it("an ordinary reference stays as it is, in any script", () => {
  for (const text of ["A-1042", "Заказ 7", "注文 42", "طلب رقم 9", "👍 x", "a/b?c=d&e#f", '"quoted" \\'])
    expect(foreignText(text)).toBe(text);
  expect([foreignText(null), foreignText(undefined), foreignText("")]).toEqual([null, null, ""]);
});

it("marks that steer a terminal, a direction or a hidden reader are gone from the whole corpus", () => {
  for (const { text, mark } of injections) {
    const shown = foreignText(text) ?? "";
    expect(shown.startsWith(mark), text).toBe(true);
    expect(shown).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
  }
});

it("a key or a secret in a text is not shown, also if invisible marks cut it or the text is cut in it", () => {
  const key = `daric_live_sk_${"a".repeat(30)}_${"b".repeat(43)}`;
  for (const typed of [
    key,
    key.replace("_live", "_\u200blive"),
    `${"x".repeat(100)} ${key}`,
    `whsec_${"0".repeat(64)}`,
  ])
    expect(foreignText(typed)).not.toMatch(/daric_live|aaa|whsec_|0{9}/);
});
