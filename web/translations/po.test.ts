import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Catalogue, catalogues } from "./catalogues.ts";
import { exportPo, importPo } from "./po.ts";

const english = { page: { title: "Paid", back: "Back to {shop}" }, wait: "Wait" };
const german = { page: { title: "Bezahlt", back: 'Zurück zu "{shop}"\nund weiter' }, wait: "Warten" };
let folder: string;
let shop: Catalogue;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "translations-"));
  shop = { name: "shop", english, folder };
  writeFileSync(join(folder, "de.json"), `${JSON.stringify(german, null, 2)}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (tag = "de") => JSON.parse(readFileSync(join(folder, `${tag}.json`), "utf8"));

describe("the texts of a language, exchanged with a translator", () => {
  it("come back as they were exported, in every language", () => {
    for (const tag of ["es", "ar", "zh-Hans"])
      expect(importPo(catalogues, exportPo(catalogues, tag))).toEqual({ tag, changed: [], open: [] });
  });

  it("change in the one text that the translator changed, and in nothing else", () => {
    const edited = exportPo([shop], "de").replace('msgstr "Bezahlt"', 'msgstr "Ist bezahlt"');
    expect(importPo([shop], edited)).toEqual({ tag: "de", changed: ["shop/page.title"], open: [] });
    expect(written()).toEqual({ ...german, page: { ...german.page, title: "Ist bezahlt" } });
  });

  it("stay as they are where the translator left a text open or marked it as fuzzy", () => {
    const before = readFileSync(join(folder, "de.json"), "utf8");
    const edited = exportPo([shop], "de")
      .replace('msgstr "Warten"', 'msgstr ""')
      .replace('msgctxt "shop/page.title"', '#, fuzzy\nmsgctxt "shop/page.title"')
      .replace('msgstr "Bezahlt"', 'msgstr "?"');
    expect(importPo([shop], edited).open).toEqual(["shop/page.title", "shop/wait"]);
    expect(readFileSync(join(folder, "de.json"), "utf8")).toBe(before);
  });

  it.each([
    ['zu \\"{shop}', 'zu \\"{laden}', "shop/page.back: has the names laden instead of shop"],
    ['msgid "Paid"', 'msgid "Payed"', "shop/page.title: the English text has changed since the export"],
    ["shop/wait", "shop/waits", "shop/waits: no such text"],
    ["shop/wait", "shops/wait", "shops/wait: no such catalogue"],
    ["Language: de", "X: de", "the file has no header Language"],
  ])("are refused whole if %s became %s", (from, to, fault) => {
    const before = readFileSync(join(folder, "de.json"), "utf8");
    const texts = exportPo([shop], "de").replace('msgstr "Bezahlt"', 'msgstr "Gezahlt"');
    expect(() => importPo([shop], texts.replace(from, to))).toThrow(fault);
    expect(readFileSync(join(folder, "de.json"), "utf8")).toBe(before);
  });

  it("begin empty for a new language, and are written in the order of the English ones", () => {
    const empty = exportPo([shop], "fr");
    expect(empty.match(/msgstr ""\n/g)).toHaveLength(4);
    const edited = empty.replace('msgid "Wait"\nmsgstr ""', 'msgid "Wait"\nmsgstr "Attendre"');
    importPo([shop], edited);
    expect(written("fr")).toEqual({ page: {}, wait: "Attendre" });
  });
});
