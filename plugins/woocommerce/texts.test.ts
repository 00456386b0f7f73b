import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutLanguages } from "@daric/domain/checkout";
import { po } from "gettext-parser";
import { describe, expect, it } from "vitest";
import { LANGUAGES, merged, template, textsOfPhp, textsOfPlugin } from "./texts.ts";

const textOf = (name: string) => readFileSync(join(LANGUAGES, name), "utf8");
const files = readdirSync(LANGUAGES).filter((name) => name.endsWith(".po"));

const current = template();

/** Texts that are the same word in some of the languages. */
const NAMES = new Set(["Daric", "Coin"]);

it("the template has every text of the sources: write it by `npx tsx plugins/woocommerce/texts.ts`", () => {
  expect(textOf("daric.pot")).toBe(current);
});

it("every text is of the plugin's own domain", () => {
  const texts = textsOfPlugin();
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter(({ domain }) => domain !== "daric")).toEqual([]);
});

it("a text with a hole has a note for its translator", () => {
  const notes = new Map<string, string>();
  for (const { text, note } of textsOfPlugin()) notes.set(text, (notes.get(text) ?? "") || note);
  const open = [...notes].filter(([text, note]) => holesOf(text).length > 0 && note === "");
  expect(open.map(([text]) => text)).toEqual([]);
});

it("the plugin speaks the languages of the payer's pages", () => {
  const tags = files.map((name) => name.slice("daric-".length, -".po".length).replace("_", "-"));
  const languages = tags.map((tag) => new Intl.Locale(tag).maximize());
  const wanted = checkoutLanguages.map((tag) => new Intl.Locale(tag).maximize());
  const nameOf = ({ language, script }: Intl.Locale) => `${language}-${script}`;
  expect(["en-Latn", ...languages.map(nameOf)].toSorted()).toEqual(wanted.map(nameOf).toSorted());
});

describe.each(files)("%s", (name) => {
  const { translations } = po.parse(textOf(name));
  const entries = Object.values(translations[""] ?? {}).filter(({ msgid }) => msgid !== "");

  it("has the texts of the template, and no others", () => {
    expect(textOf(name)).toBe(merged(textOf(name), current));
  });

  it("translates every text, with its holes, and leaves none in English", () => {
    const open = entries.filter(
      ({ msgid, msgstr: [text = ""] }) => text === "" || (text === msgid && !NAMES.has(text)),
    );
    expect(open.map(({ msgid }) => msgid)).toEqual([]);
    for (const { msgid, msgstr } of entries) expect(holesOf(msgstr[0] ?? ""), msgid).toEqual(holesOf(msgid));
  });
});

it("texts are read with their notes and domains, also behind a break of the line", () => {
  const source = `<?php
    /* translators: %s: a coin */
    echo sprintf(esc_html__('Pay %s', 'daric'), $coin);
    f(__('Other', 'woocommerce'), __($name, 'daric'));`;
  expect(textsOfPhp(source)).toEqual([
    { text: "Pay %s", note: "%s: a coin", domain: "daric" },
    { text: "Other", note: "", domain: "woocommerce" },
  ]);
});

/** `%s`, `%1$s` and `{order_number}`, sorted. */
function holesOf(text: string): string[] {
  return (text.match(/%(?:\d\$)?[sd]|\{\w+\}/g) ?? []).toSorted();
}
