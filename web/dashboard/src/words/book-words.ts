import { compileTexts, type Texts, type Translated } from "@daric/runtime/texts";
import type { books } from "./books/en.ts";
import type { Tag } from "./language.ts";
import { speakAlso } from "./words.ts";

type Load = () => Promise<{ readonly default: Translated<typeof books> }>;

const loads: Readonly<Record<Tag, Load>> = {
  en: async () => ({ default: (await import("./books/en.ts")).books }),
  "zh-Hans": () => import("./books/zh-hans.json", { with: { type: "json" } }),
  ru: () => import("./books/ru.json", { with: { type: "json" } }),
  es: () => import("./books/es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./books/pt-br.json", { with: { type: "json" } }),
  tr: () => import("./books/tr.json", { with: { type: "json" } }),
  vi: () => import("./books/vi.json", { with: { type: "json" } }),
  id: () => import("./books/id.json", { with: { type: "json" } }),
  ar: () => import("./books/ar.json", { with: { type: "json" } }),
  fa: () => import("./books/fa.json", { with: { type: "json" } }),
};

/** The texts about company and books, once the settings have loaded them. */
export let bookWords: Texts<typeof books>;

/** Loads them in the language of the pages, and in each that is chosen later. */
export function loadBookWords(): Promise<void> {
  return speakAlso("books", async (tag) => {
    const texts = compileTexts<typeof books>((await loads[tag]()).default, tag);
    return () => {
      bookWords = texts;
    };
  });
}
