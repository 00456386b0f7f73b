import { readFileSync } from "node:fs";
import { compileTexts, type Translated } from "@daric/runtime/texts";
import { en, type Messages } from "./en.ts";
import { type Figures, figuresOf } from "./figures.ts";

/** A language of the page: its texts, numbers and times. */
export type Language = {
  readonly tag: string;
  /** the language's name for itself */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** its `scriptOf`, for matching; computed on first use, to keep the start fast */
  readonly script: () => string | undefined;
  readonly messages: Messages;
  readonly figures: Figures;
};

type Translation = Pick<Language, "tag" | "name" | "direction"> & {
  /** the reviewer and date of the texts; payers do not see it */
  readonly review: "unreviewed" | { readonly by: string; readonly on: string };
};

/** Every language but English, in the order in which they are shown. Its texts are in the file of its tag. */
export const translations: readonly Translation[] = [
  { tag: "zh-Hans", name: "简体中文", direction: "ltr", review: "unreviewed" },
  { tag: "ru", name: "Русский", direction: "ltr", review: "unreviewed" },
  { tag: "es", name: "Español", direction: "ltr", review: "unreviewed" },
  { tag: "pt-BR", name: "Português (Brasil)", direction: "ltr", review: "unreviewed" },
  { tag: "tr", name: "Türkçe", direction: "ltr", review: "unreviewed" },
  { tag: "vi", name: "Tiếng Việt", direction: "ltr", review: "unreviewed" },
  { tag: "id", name: "Bahasa Indonesia", direction: "ltr", review: "unreviewed" },
  { tag: "ar", name: "العربية", direction: "rtl", review: "unreviewed" },
  { tag: "fa", name: "فارسی", direction: "rtl", review: "unreviewed" },
];

/** The tags of the languages beside English. */
export const translatedTags: readonly string[] = translations.map(({ tag }) => tag);

const english = languageOf({ tag: "en", name: "English", direction: "ltr" }, en);
/** Each language is read when it is first offered. */
const loaded = new Map<string, Language>();

/** English, and the languages with these tags in the order of this file. */
export function offeredLanguages(tags: readonly string[]): readonly [Language, ...Language[]] {
  return [english, ...translations.filter(({ tag }) => tags.includes(tag)).map(load)];
}

/** A language and its script: `zh-Hans` for `zh`, `zh-CN` and `ZH-sg`; undefined for an invalid tag. */
export function scriptOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}

function load(translation: Translation): Language {
  const known = loaded.get(translation.tag);
  if (known !== undefined) return known;
  const file = new URL(`./${translation.tag.toLowerCase()}.json`, import.meta.url);
  const language = languageOf(translation, JSON.parse(readFileSync(file, "utf8")));
  loaded.set(translation.tag, language);
  return language;
}

function languageOf(
  { tag, name, direction }: Pick<Language, "tag" | "name" | "direction">,
  catalogue: Translated<typeof en>,
): Language {
  let script: string | undefined;
  return {
    tag,
    name,
    direction,
    script: () => {
      script ??= scriptOf(tag);
      return script;
    },
    messages: compileTexts<typeof en>(catalogue, tag),
    figures: figuresOf(tag),
  };
}
