import { compileTexts, type Texts, type Translated } from "@daric/runtime/texts";
import type { Tag } from "./language.ts";
import { speakAlso } from "./words.ts";

/** The catalogues of texts that only some pages need, apart from those of every page. */
export type LateCatalogues<English> = Readonly<
  Record<Tag, () => Promise<{ readonly default: Translated<English> }>>
>;

/** Loads such texts in the language of the pages, and in each that is chosen later. `use` takes each into use. */
export function loadLate<English extends object>(
  name: string,
  catalogues: LateCatalogues<English>,
  use: (texts: Texts<English>) => void,
): Promise<void> {
  return speakAlso(name, async (tag) => {
    const texts = compileTexts<English>((await catalogues[tag]()).default, tag);
    return () => use(texts);
  });
}
