import type { Texts } from "@daric/runtime/texts";
import type { books } from "./books/en.ts";
import { type LateCatalogues, loadLate } from "./late-words.ts";

const catalogues: LateCatalogues<typeof books> = {
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
  return loadLate("books", catalogues, (texts) => {
    bookWords = texts;
  });
}
