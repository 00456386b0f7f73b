import { en, type Words } from "./en/en.ts";
import type { OperatorWords } from "./en/operator.ts";

/** A language of the pages, with its name in itself. Its catalogue is loaded when it is chosen. */
type Language = {
  readonly tag: string;
  readonly name: string;
  readonly isRightToLeft?: boolean;
  readonly load: () => Promise<Words>;
  readonly loadOperator: () => Promise<OperatorWords>;
};

/** The checkout's languages, in its order. Only complete catalogues are listed. */
export const languages: readonly [Language, ...Language[]] = [
  {
    tag: "en",
    name: "English",
    load: async () => en,
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

const STORED = "daric.language";

/** The catalogue of the chosen language. */
export let words: Words = { ...en };
/** The texts of the pages for operators, once such a page has loaded them. */
export let operatorWords: OperatorWords;
let isForOperators = false;
let current = languages[0];
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

/** Loads the texts of the pages for operators, which other people never need. */
export async function loadOperatorWords(): Promise<void> {
  operatorWords = await current.loadOperator();
  isForOperators = true;
}

/** Takes a language into use. English stays if the catalogue cannot be fetched. */
async function take(chosen: Language): Promise<void> {
  const { tag, isRightToLeft = false } = chosen;
  try {
    const texts = await chosen.load();
    if (isForOperators) operatorWords = await chosen.loadOperator();
    words = texts;
  } catch {
    return take(languages[0]);
  }
  current = chosen;
  language = localeOf(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = isRightToLeft ? "rtl" : "ltr";
}
