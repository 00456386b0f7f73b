import type { Texts } from "@daric/runtime/texts";
import type { downloads } from "./downloads/en.ts";
import { type LateCatalogues, loadLate } from "./late-words.ts";

/** The catalogues, apart from those of every page: only an open menu of downloads loads one. */
const catalogues: LateCatalogues<typeof downloads> = {
  en: async () => ({ default: (await import("./downloads/en.ts")).downloads }),
  "zh-Hans": () => import("./downloads/zh-hans.json", { with: { type: "json" } }),
  ru: () => import("./downloads/ru.json", { with: { type: "json" } }),
  es: () => import("./downloads/es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./downloads/pt-br.json", { with: { type: "json" } }),
  tr: () => import("./downloads/tr.json", { with: { type: "json" } }),
  vi: () => import("./downloads/vi.json", { with: { type: "json" } }),
  id: () => import("./downloads/id.json", { with: { type: "json" } }),
  ar: () => import("./downloads/ar.json", { with: { type: "json" } }),
  fa: () => import("./downloads/fa.json", { with: { type: "json" } }),
};

/** The texts of the menu of downloads, once one was opened. */
export let downloadWords: Texts<typeof downloads>;

/** Loads the texts of the menu in the language of the pages, and in each that is chosen later. */
export function loadDownloadWords(): Promise<void> {
  return loadLate("downloads", catalogues, (texts) => {
    downloadWords = texts;
  });
}
