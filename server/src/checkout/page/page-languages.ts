import { chooseLanguage } from "../messages/choose-language.ts";
import { type Language, offeredLanguages } from "../messages/languages.ts";

/** Browsers send a few hundred different headers; to read one takes a tenth of a millisecond. */
const MOST_CACHED = 500;
/** Longer ones are nobody's habit. */
const LONGEST_CACHED = 200;

/** What of a request says which language is wanted. */
type LanguageRequest = {
  readonly query: unknown;
  readonly headers: { readonly "accept-language"?: string | undefined };
};

/** The languages of this deployment's pages. */
type PageLanguages = {
  /** English first */
  readonly offered: readonly [Language, ...Language[]];
  /** the one in which a request is answered */
  readonly of: (request: LanguageRequest) => Language;
};

/** The languages with these tags, and English. */
export function pageLanguages(tags: readonly string[]): PageLanguages {
  const offered = offeredLanguages(tags);
  const cached = new Map<string, Language>();

  const preferred = (accepted: string) => {
    const known = cached.get(accepted);
    if (known !== undefined) return known;
    const language = chooseLanguage({ requested: undefined, accepted }, offered);
    if (cached.size >= MOST_CACHED) cached.clear();
    if (accepted.length <= LONGEST_CACHED) cached.set(accepted, language);
    return language;
  };

  return {
    offered,
    of: ({ query, headers }) => {
      const { lang: requested } = query as { readonly lang?: unknown };
      const accepted = headers["accept-language"] ?? "";
      return requested === undefined ? preferred(accepted) : chooseLanguage({ requested, accepted }, offered);
    },
  };
}
