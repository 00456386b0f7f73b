import { ar } from "./ar.ts";
import type { Messages, Translation } from "./catalogue.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fa } from "./fa.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { id } from "./id.ts";
import { ptBr } from "./pt-br.ts";
import { ru } from "./ru.ts";
import { tr } from "./tr.ts";
import { vi } from "./vi.ts";
import { zhHans } from "./zh-hans.ts";

/** A language of the page: its texts, numbers and times. */
export type Language = Pick<Translation, "name" | "direction"> & {
  readonly tag: string;
  /** its `scriptOf`, for matching; computed on first use, to keep the start fast */
  readonly script: () => string | undefined;
  readonly messages: Messages;
  readonly figures: Figures;
};

/** Every language but English, in the order in which they are shown. */
export const translations: readonly Translation[] = [zhHans, ru, es, ptBr, tr, vi, id, ar, fa];

/** The tags of the languages that an operator may choose from beside English. */
export const translatedTags: readonly string[] = translations.map(({ language }) => language);

/** English, and the languages with these tags in the order of this file. */
export function offeredLanguages(tags: readonly string[]): readonly [Language, ...Language[]] {
  const chosen = translations.filter(({ language }) => tags.includes(language));
  return [
    languageOf(en, { name: "English", direction: "ltr" }),
    ...chosen.map((each) => languageOf(each, each)),
  ];
}

/** A language and its script: `zh-Hans` for `zh`, `zh-CN` and `ZH-sg`; undefined for an invalid tag. */
export function scriptOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}

function languageOf(
  messages: Messages,
  { name, direction }: Pick<Translation, "name" | "direction">,
): Language {
  const tag = messages.language;
  let script: string | undefined;
  return {
    tag,
    name,
    direction,
    script: () => {
      script ??= scriptOf(tag);
      return script;
    },
    messages,
    figures: figuresOf(tag),
  };
}
