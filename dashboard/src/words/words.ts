import { en, type Words } from "./en/en.ts";

/** A language of the pages, with its name in itself. Its catalogue is loaded when it is chosen. */
type Language = {
  readonly tag: string;
  readonly name: string;
  readonly isRightToLeft?: boolean;
  readonly load: () => Promise<Words>;
};

/** The checkout's languages, in its order. Only complete catalogues are listed. */
export const languages: readonly [Language, ...Language[]] = [
  { tag: "en", name: "English", load: async () => en },
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

const STORED = "daric.language";

/** The catalogue of the chosen language. */
export let words: Words = { ...en };
/** The locale of dates and numbers: the chosen language with Latin digits, as on the payment page. */
export let language = localeOf("en");

function localeOf(tag: string): string {
  return `${tag}-u-nu-latn`;
}

/** A language and its script: `zh-Hans` for `zh` and `zh-CN`; undefined for a text that is no tag. */
function scriptOf(tag: string): string | undefined {
  try {
    const { language: found, script } = new Intl.Locale(tag).maximize();
    return `${found}-${script}`;
  } catch {
    return undefined;
  }
}

/** The first wish that is a language of ours, in any region; English if none is. */
export function languageOf(wishes: readonly (string | null)[]): Language {
  for (const wish of wishes) {
    const wanted = wish === null ? undefined : scriptOf(wish);
    const found = wanted && languages.find(({ tag }) => scriptOf(tag) === wanted);
    if (found) return found;
  }
  return languages[0];
}

/** The tag of the language in which the pages are drawn. */
export function currentTag(): string {
  return document.documentElement.lang;
}

/** Loads the stored language, or else the best one that the browser asks for. */
export async function loadWords(): Promise<void> {
  await take(languageOf([localStorage.getItem(STORED), ...navigator.languages]));
}

/** Changes the language, and keeps it in this browser. The caller draws the pages again. */
export async function chooseLanguage(tag: string): Promise<void> {
  await take(languageOf([tag]));
  localStorage.setItem(STORED, tag);
}

/** Takes a language into use. English stays if the catalogue cannot be fetched. */
async function take(chosen: Language): Promise<void> {
  const { tag, isRightToLeft = false } = chosen;
  try {
    words = await chosen.load();
  } catch {
    return take(languages[0]);
  }
  language = localeOf(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = isRightToLeft ? "rtl" : "ltr";
}
