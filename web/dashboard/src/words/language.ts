/** The tags of the pages' languages, in the checkout's order. Only complete catalogues are listed. */
export const tags = ["en", "zh-Hans", "ru", "es", "pt-BR", "tr", "vi", "id", "ar", "fa"] as const;
export type Tag = (typeof tags)[number];

/** Where this browser keeps the language that its person chose. */
export const STORED = "daric.language";

/** A language and its script: `zh-Hans` for `zh` and `zh-CN`; undefined for a text that is no tag. */
function scriptOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}

/** The first wish that is a language of ours, in any region; English if none is. */
export function tagOf(wishes: readonly (string | null)[]): Tag {
  for (const wish of wishes) {
    const wanted = wish === null ? undefined : scriptOf(wish);
    const found = wanted && tags.find((tag) => scriptOf(tag) === wanted);
    if (found) return found;
  }
  return "en";
}

/** The stored language, or else the best one that the browser asks for. */
export function wishedTag(): Tag {
  return tagOf([localStorage.getItem(STORED), ...navigator.languages]);
}
