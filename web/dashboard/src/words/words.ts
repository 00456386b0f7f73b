import { compileTexts, type Texts, type Translated } from "@daric/runtime/texts";
import type { en } from "./en/en.ts";
import { STORED, type Tag, tagOf, wishedTag } from "./language.ts";
import type { operator } from "./operator/en.ts";

/** Fetches a catalogue. */
type Load<English> = () => Promise<{ readonly default: Translated<English> }>;

/** A language of the pages, with its name in itself. Its catalogues are loaded when they are needed. */
type Language = {
  readonly tag: Tag;
  readonly name: string;
  readonly load: Load<typeof en>;
  readonly loadOperator: Load<typeof operator>;
};

/** The languages of the pages, English first. */
export const languages: readonly [Language, ...Language[]] = [
  {
    tag: "en",
    name: "English",
    load: async () => ({ default: (await import("./en/en.ts")).en }),
    loadOperator: async () => ({ default: (await import("./operator/en.ts")).operator }),
  },
  {
    tag: "zh-Hans",
    name: "简体中文",
    load: () => import("./zh-hans.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/zh-hans.json", { with: { type: "json" } }),
  },
  {
    tag: "ru",
    name: "Русский",
    load: () => import("./ru.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/ru.json", { with: { type: "json" } }),
  },
  {
    tag: "es",
    name: "Español",
    load: () => import("./es.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/es.json", { with: { type: "json" } }),
  },
  {
    tag: "pt-BR",
    name: "Português (Brasil)",
    load: () => import("./pt-br.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/pt-br.json", { with: { type: "json" } }),
  },
  {
    tag: "tr",
    name: "Türkçe",
    load: () => import("./tr.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/tr.json", { with: { type: "json" } }),
  },
  {
    tag: "vi",
    name: "Tiếng Việt",
    load: () => import("./vi.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/vi.json", { with: { type: "json" } }),
  },
  {
    tag: "id",
    name: "Bahasa Indonesia",
    load: () => import("./id.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/id.json", { with: { type: "json" } }),
  },
  {
    tag: "ar",
    name: "العربية",
    load: () => import("./ar.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/ar.json", { with: { type: "json" } }),
  },
  {
    tag: "fa",
    name: "فارسی",
    load: () => import("./fa.json", { with: { type: "json" } }),
    loadOperator: () => import("./operator/fa.json", { with: { type: "json" } }),
  },
];

/** The catalogue of the chosen language; nothing is drawn before it is loaded. */
export let words = {} as Texts<typeof en>;
/** The texts of the pages for operators, once such a page has loaded them. */
export let operatorWords: Texts<typeof operator>;
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
  const { tag, loadOperator } = languageOf(tagOf([currentTag()]));
  operatorWords = await textsIn(tag, loadOperator);
  isForOperators = true;
}

/** Fetches further texts in a language, and returns a function that takes them into use. */
type LoadFurther = (tag: Tag) => Promise<() => void>;
const further = new Map<string, LoadFurther>();

/** Loads further texts of this name in the language of the pages, and in each that is chosen later. */
export async function speakAlso(name: string, load: LoadFurther): Promise<void> {
  const take = await load(tagOf([currentTag()]));
  further.set(name, load);
  take();
}

/** Takes a language into use on the page. */
async function take(tag: Tag): Promise<void> {
  const { tag: taken } = await speak(tag);
  document.documentElement.lang = taken;
  document.documentElement.dir = /^(?:ar|fa)$/.test(taken) ? "rtl" : "ltr";
}

/** Makes the texts those of a language, or English if a catalogue cannot be fetched. Returns the one that it is. */
export async function speak(tag: Tag): Promise<Language> {
  const chosen = languageOf(tag);
  try {
    const texts = await textsIn(tag, chosen.load);
    if (isForOperators) operatorWords = await textsIn(tag, chosen.loadOperator);
    const takes = await Promise.all([...further.values()].map((loadFurther) => loadFurther(tag)));
    words = texts;
    for (const takeTexts of takes) takeTexts();
  } catch (error) {
    if (tag === "en") throw error;
    return speak("en");
  }
  language = localeOf(tag);
  return chosen;
}

async function textsIn<English>(tag: Tag, load: Load<English>): Promise<Texts<English>> {
  return compileTexts<English>((await load()).default, tag);
}

function languageOf(tag: Tag): Language {
  return languages.find((language) => language.tag === tag) ?? languages[0];
}
