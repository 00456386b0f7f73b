import type { Words } from "./en/en.ts";
import { STORED, type Tag, tagOf, wishedTag } from "./language.ts";

/** A language of the pages, with its name in itself. Its catalogue is loaded when it is needed. */
type Language = {
  readonly tag: Tag;
  readonly name: string;
  readonly isRightToLeft?: boolean;
  readonly load: () => Promise<Words>;
};

/** The languages of the pages, English first. */
export const languages: readonly [Language, ...Language[]] = [
  { tag: "en", name: "English", load: async () => (await import("./en/en.ts")).en },
  { tag: "zh-Hans", name: "简体中文", load: async () => (await import("./zh-hans.ts")).zhHans },
  { tag: "ru", name: "Русский", load: async () => (await import("./ru.ts")).ru },
  { tag: "es", name: "Español", load: async () => (await import("./es.ts")).es },
  { tag: "pt-BR", name: "Português (Brasil)", load: async () => (await import("./pt-br.ts")).ptBr },
  { tag: "tr", name: "Türkçe", load: async () => (await import("./tr.ts")).tr },
  { tag: "vi", name: "Tiếng Việt", load: async () => (await import("./vi.ts")).vi },
  { tag: "id", name: "Bahasa Indonesia", load: async () => (await import("./id.ts")).id },
  { tag: "ar", name: "العربية", isRightToLeft: true, load: async () => (await import("./ar.ts")).ar },
  { tag: "fa", name: "فارسی", isRightToLeft: true, load: async () => (await import("./fa.ts")).fa },
];

/** The catalogue of the chosen language; nothing is drawn before it is loaded. */
export let words = {} as Words;
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

/** Takes a language into use on the page. */
async function take(tag: Tag): Promise<void> {
  const { tag: taken, isRightToLeft = false } = await speak(tag);
  document.documentElement.lang = taken;
  document.documentElement.dir = isRightToLeft ? "rtl" : "ltr";
}

/** Makes the texts those of a language, or English if its catalogue cannot be fetched. Returns the one that it is. */
export async function speak(tag: Tag): Promise<Language> {
  const [english] = languages;
  const chosen = languages.find((each) => each.tag === tag) ?? english;
  try {
    words = await chosen.load();
  } catch (error) {
    if (chosen === english) throw error;
    return speak("en");
  }
  language = localeOf(chosen.tag);
  return chosen;
}
