import { type GetTextTranslation, po } from "gettext-parser";
import { type Catalogue, flatTexts, readTexts, type TextsByKey, writeTexts } from "./catalogues.ts";
import { faultOf } from "./faults.ts";

/** Tools for translators check the names in braces of a text with this mark. */
const ICU = "icu-message-format";

/** Every text of every catalogue in a language, as one gettext file. The context of a text is its catalogue and key. */
export function exportPo(catalogues: readonly Catalogue[], tag: string): string {
  const translations = catalogues.flatMap((catalogue) => {
    const translated = readTexts(catalogue, tag);
    return [...flatTexts(catalogue.english)].map(([key, english]) => {
      const context = `${catalogue.name}/${key}`;
      return [context, { [english]: entryOf(context, english, translated.get(key) ?? "") }] as const;
    });
  });
  const headers = {
    "Project-Id-Version": "daric",
    Language: tag,
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
  };
  const file = { charset: "utf-8", headers, translations: Object.fromEntries(translations) };
  return `${po.compile(file, { foldLength: 0 }).toString("utf8").trimEnd()}\n`;
}

function entryOf(msgctxt: string, msgid: string, msgstr: string): GetTextTranslation {
  return { msgctxt, msgid, msgstr: [msgstr], ...(msgid.includes("{") && { comments: { flag: ICU } }) };
}

/** The result of an import: the contexts whose texts changed, and those that the file leaves open. */
type Imported = { readonly tag: string; readonly changed: string[]; readonly open: string[] };

/**
 * Takes over the texts of a gettext file that differ from the catalogues. Texts that are empty or marked as fuzzy stay as they are.
 *
 * @throws Error that lists each fault, and then nothing is written
 */
export function importPo(catalogues: readonly Catalogue[], source: string): Imported {
  const { headers, translations } = po.parse(source);
  const tag = headers.Language ?? "";
  const [known] = tag === "" ? [] : Intl.getCanonicalLocales(tag);
  if (known === undefined) throw new Error("the file has no header Language");
  const entries = Object.values(translations)
    .flatMap((context) => Object.values(context))
    .filter(({ msgctxt }) => msgctxt !== undefined);
  const result: Imported = { tag: known, changed: [], open: [] };
  const faults: string[] = [];
  const written = catalogues.map((catalogue) => {
    const english = flatTexts(catalogue.english);
    const texts = new Map(readTexts(catalogue, known));
    for (const entry of entries.filter(({ msgctxt = "" }) => msgctxt.startsWith(`${catalogue.name}/`)))
      take(entry, catalogue, { english, texts, result, faults });
    return { catalogue, texts };
  });
  const names = catalogues.map(({ name }) => name);
  const strange = entries.filter(({ msgctxt = "" }) => !names.includes(msgctxt.split("/")[0] ?? ""));
  faults.push(...strange.map(({ msgctxt }) => `${msgctxt}: no such catalogue`));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  for (const { catalogue, texts } of written)
    if (result.changed.some((context) => context.startsWith(`${catalogue.name}/`)))
      writeTexts(catalogue, known, texts);
  return result;
}

type Taking = {
  readonly english: TextsByKey;
  readonly texts: Map<string, string>;
  readonly result: Imported;
  readonly faults: string[];
};

function take(
  { msgctxt = "", msgid, msgstr, comments }: GetTextTranslation,
  { name }: Catalogue,
  { english, texts, result, faults }: Taking,
): void {
  const key = msgctxt.slice(name.length + 1);
  const [text = ""] = msgstr;
  const original = english.get(key);
  if (original === undefined) faults.push(`${msgctxt}: no such text`);
  else if (text === "" || comments?.flag?.includes("fuzzy")) result.open.push(msgctxt);
  else if (text !== texts.get(key)) {
    const fault =
      original === msgid ? faultOf(original, text) : "the English text has changed since the export";
    if (fault !== undefined) faults.push(`${msgctxt}: ${fault}`);
    texts.set(key, text);
    result.changed.push(msgctxt);
  }
}
