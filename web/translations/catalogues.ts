import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { en as checkout } from "../../packages/hosted-checkout/src/messages/en.ts";
import { translatedTags } from "../../packages/hosted-checkout/src/messages/languages.ts";
import { books } from "../dashboard/src/words/books/en.ts";
import { downloads } from "../dashboard/src/words/downloads/en.ts";
import { en as dashboard } from "../dashboard/src/words/en/en.ts";
import { operator } from "../dashboard/src/words/operator/en.ts";
import { refunds } from "../dashboard/src/words/refunds/en.ts";
import { shops } from "../dashboard/src/words/shops/en.ts";

/** Texts by key, inside groups. */
type Tree = { readonly [key: string]: string | Tree };
/** Texts by their whole key: `status.paid.title`. */
export type TextsByKey = ReadonlyMap<string, string>;

/** A catalogue: its English texts, and the folder of its translations, a JSON file a language. */
export type Catalogue = {
  readonly name: string;
  readonly english: Tree;
  readonly folder: string;
};

const inRoot = (folder: string) => join(import.meta.dirname, "../..", folder);

export const catalogues: readonly Catalogue[] = [
  { name: "checkout", english: checkout, folder: inRoot("packages/hosted-checkout/src/messages") },
  { name: "dashboard", english: dashboard, folder: inRoot("web/dashboard/src/words") },
  { name: "operator", english: operator, folder: inRoot("web/dashboard/src/words/operator") },
  { name: "downloads", english: downloads, folder: inRoot("web/dashboard/src/words/downloads") },
  { name: "books", english: books, folder: inRoot("web/dashboard/src/words/books") },
  { name: "refunds", english: refunds, folder: inRoot("web/dashboard/src/words/refunds") },
  { name: "shops", english: shops, folder: inRoot("web/dashboard/src/words/shops") },
];

/** The languages with translations. */
export const tags = translatedTags;

export function flatTexts(tree: Tree, group = ""): TextsByKey {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === "string"
        ? [[`${group}${key}`, value] as const]
        : [...flatTexts(value, `${group}${key}.`)],
    ),
  );
}

/** The texts in a language; none if it has no file yet. */
export function readTexts({ folder }: Pick<Catalogue, "folder">, tag: string): TextsByKey {
  const file = fileOf(folder, tag);
  return existsSync(file) ? flatTexts(JSON.parse(readFileSync(file, "utf8"))) : new Map();
}

/** Writes the texts of a language, in the order of the English ones. */
export function writeTexts(
  { folder, english }: Omit<Catalogue, "name">,
  tag: string,
  texts: TextsByKey,
): void {
  writeFileSync(fileOf(folder, tag), `${JSON.stringify(treeOf(english, texts), null, 2)}\n`);
}

function fileOf(folder: string, tag: string): string {
  return join(folder, `${tag.toLowerCase()}.json`);
}

function treeOf(english: Tree, texts: TextsByKey, group = ""): Tree {
  const entries = Object.entries(english).flatMap(([key, value]): [string, string | Tree][] => {
    if (typeof value !== "string") return [[key, treeOf(value, texts, `${group}${key}.`)]];
    const text = texts.get(`${group}${key}`);
    return text === undefined ? [] : [[key, text]];
  });
  return Object.fromEntries(entries);
}
