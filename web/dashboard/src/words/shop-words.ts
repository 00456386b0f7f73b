import { compileTexts, type Texts, type Translated } from "@daric/runtime/texts";
import type { Tag } from "./language.ts";
import type { shops } from "./shops/en.ts";
import { speakAlso } from "./words.ts";

type Load = () => Promise<{ readonly default: Translated<typeof shops> }>;

/** The catalogues, apart from those of every page: only pages about keys, webhooks and the audit log load one. */
const loads: Readonly<Record<Tag, Load>> = {
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
  return speakAlso("shops", async (tag) => {
    const texts = compileTexts<typeof shops>((await loads[tag]()).default, tag);
    return () => {
      shopWords = texts;
    };
  });
}
