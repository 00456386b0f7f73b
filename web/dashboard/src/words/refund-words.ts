import type { Texts } from "@daric/runtime/texts";
import { type LateCatalogues, loadLate } from "./late-words.ts";
import type { refunds } from "./refunds/en.ts";
import { words } from "./words.ts";

/** The catalogues, apart from those of every page: only pages with refunds load one. */
const catalogues: LateCatalogues<typeof refunds> = {
  en: async () => ({ default: (await import("./refunds/en.ts")).refunds }),
  "zh-Hans": () => import("./refunds/zh-hans.json", { with: { type: "json" } }),
  ru: () => import("./refunds/ru.json", { with: { type: "json" } }),
  es: () => import("./refunds/es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./refunds/pt-br.json", { with: { type: "json" } }),
  tr: () => import("./refunds/tr.json", { with: { type: "json" } }),
  vi: () => import("./refunds/vi.json", { with: { type: "json" } }),
  id: () => import("./refunds/id.json", { with: { type: "json" } }),
  ar: () => import("./refunds/ar.json", { with: { type: "json" } }),
  fa: () => import("./refunds/fa.json", { with: { type: "json" } }),
};

/** The texts about refunds, once a page with refunds has loaded them. */
export let refundWords: Texts<typeof refunds>;

/** Loads the texts about refunds in the language of the pages, and in each that is chosen later. */
export function loadRefundWords(): Promise<void> {
  return loadLate("refunds", catalogues, (texts) => {
    refundWords = texts;
    // Forms look up a refusal among those of every page.
    Object.assign(words.problems, texts.problems);
  });
}
