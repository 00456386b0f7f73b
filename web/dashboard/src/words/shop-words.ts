import type { Texts } from "@daric/runtime/texts";
import { type LateCatalogues, loadLate } from "./late-words.ts";
import type { shops } from "./shops/en.ts";

/** The catalogues, apart from those of every page: only pages about keys, webhooks and the audit log load one. */
const catalogues: LateCatalogues<typeof shops> = {
  en: async () => ({ default: (await import("./shops/en.ts")).shops }),
  "zh-Hans": () => import("./shops/zh-hans.json", { with: { type: "json" } }),
  ru: () => import("./shops/ru.json", { with: { type: "json" } }),
  es: () => import("./shops/es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./shops/pt-br.json", { with: { type: "json" } }),
  tr: () => import("./shops/tr.json", { with: { type: "json" } }),
  vi: () => import("./shops/vi.json", { with: { type: "json" } }),
  id: () => import("./shops/id.json", { with: { type: "json" } }),
  ar: () => import("./shops/ar.json", { with: { type: "json" } }),
  fa: () => import("./shops/fa.json", { with: { type: "json" } }),
};

/** The texts about shops, once a page has loaded them. */
export let shopWords: Texts<typeof shops>;

/** Loads the texts about shops in the language of the pages, and in each that is chosen later. */
export function loadShopWords(): Promise<void> {
  return loadLate("shops", catalogues, (texts) => {
    shopWords = texts;
  });
}
