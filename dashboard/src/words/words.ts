import type { Words } from "./en/en.ts";
import type { OperatorWords } from "./en/operator.ts";
import { STORED, type Tag, tagOf, wishedTag } from "./language.ts";

/** A language of the pages, with its name in itself. Its catalogues are loaded when they are needed. */
type Language = {
  readonly tag: Tag;
  readonly name: string;
  readonly isRightToLeft?: boolean;
  readonly load: () => Promise<Words>;
  readonly loadOperator: () => Promise<OperatorWords>;
};

/** The languages of the pages, English first. */
export const languages: readonly [Language, ...Language[]] = [
  {
    tag: "en",
    name: "English",
    load: async () => (await import("./en/en.ts")).en,
    loadOperator: async () => (await import("./en/operator.ts")).operator,
  },
  {
    tag: "zh-Hans",
    name: "简体中文",
    load: async () => (await import("./zh-hans.ts")).zhHans,
    loadOperator: async () => (await import("./operator/zh-hans.ts")).zhHansOperator,
  },
  {
    tag: "ru",
    name: "Русский",
    load: async () => (await import("./ru.ts")).ru,
    loadOperator: async () => (await import("./operator/ru.ts")).ruOperator,
  },
  {
    tag: "es",
    name: "Español",
    load: async () => (await import("./es.ts")).es,
    loadOperator: async () => (await import("./operator/es.ts")).esOperator,
  },
  {
    tag: "pt-BR",
    name: "Português (Brasil)",
    load: async () => (await import("./pt-br.ts")).ptBr,
    loadOperator: async () => (await import("./operator/pt-br.ts")).ptBrOperator,
  },
  {
    tag: "tr",
    name: "Türkçe",
    load: async () => (await import("./tr.ts")).tr,
    loadOperator: async () => (await import("./operator/tr.ts")).trOperator,
  },
  {
    tag: "vi",
    name: "Tiếng Việt",
    load: async () => (await import("./vi.ts")).vi,
    loadOperator: async () => (await import("./operator/vi.ts")).viOperator,
  },
  {
    tag: "id",
    name: "Bahasa Indonesia",
    load: async () => (await import("./id.ts")).id,
    loadOperator: async () => (await import("./operator/id.ts")).idOperator,
  },
  {
    tag: "ar",
    name: "العربية",
    isRightToLeft: true,
    load: async () => (await import("./ar.ts")).ar,
    loadOperator: async () => (await import("./operator/ar.ts")).arOperator,
  },
  {
    tag: "fa",
    name: "فارسی",
    isRightToLeft: true,
    load: async () => (await import("./fa.ts")).fa,
    loadOperator: async () => (await import("./operator/fa.ts")).faOperator,
  },
];

/** The catalogue of the chosen language; nothing is drawn before it is loaded. */
export let words = {} as Words;
/** The texts of the pages for operators, once such a page has loaded them. */
export let operatorWords: OperatorWords;
let isForOperators = false;
/** The locale of dates and numbers: the chosen language with Latin digits, as on the payment page. */
export let language = localeOf("en");

function localeOf(tag: string): string {
  return `${tag}-u-nu-latn`;
}

/** The tag of the language in which the pages are drawn. */
export function currentTag(): string {
  return document.documentElement.lang;
}

/** Loads the stored language, or else the best one that the browser asks for. */
export async function loadWords(): Promise<void> {
  await take(wishedTag());
}

/** Changes the language, and keeps it in this browser. The caller draws the pages again. */
export async function chooseLanguage(tag: string): Promise<void> {
  await take(tagOf([tag]));
  localStorage.setItem(STORED, tag);
}

/** Loads the texts of the pages for operators, which other people never need. */
export async function loadOperatorWords(): Promise<void> {
  operatorWords = await languageOf(tagOf([currentTag()])).loadOperator();
  isForOperators = true;
}

/** Takes a language into use on the page. */
async function take(tag: Tag): Promise<void> {
  const { tag: taken, isRightToLeft = false } = await speak(tag);
  document.documentElement.lang = taken;
  document.documentElement.dir = isRightToLeft ? "rtl" : "ltr";
}

/** Makes the texts those of a language, or English if a catalogue cannot be fetched. Returns the one that it is. */
export async function speak(tag: Tag): Promise<Language> {
  const chosen = languageOf(tag);
  try {
    const texts = await chosen.load();
    if (isForOperators) operatorWords = await chosen.loadOperator();
    words = texts;
  } catch (error) {
    if (chosen.tag === "en") throw error;
    return speak("en");
  }
  language = localeOf(chosen.tag);
  return chosen;
}

function languageOf(tag: Tag): Language {
  return languages.find((each) => each.tag === tag) ?? languages[0];
}
