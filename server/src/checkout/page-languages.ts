import { chooseLanguage } from "./messages/choose-language.ts";
import { type Language, offeredLanguages } from "./messages/languages.ts";

/** What of a request says which language is wanted. */
type Asking = {
  readonly query: unknown;
  readonly headers: { readonly "accept-language"?: string | undefined };
};

/** The languages of this deployment's pages. */
export type PageLanguages = {
  /** English first */
  readonly offered: readonly [Language, ...Language[]];
  /** the one in which a request is answered */
  readonly of: (request: Asking) => Language;
};

/** The languages with these tags, and English. */
export function pageLanguages(tags: readonly string[]): PageLanguages {
  const offered = offeredLanguages(tags);
  return {
    offered,
    of: ({ query, headers }) => {
      const { lang } = query as { readonly lang?: unknown };
      return chooseLanguage({ asked: lang, accepted: headers["accept-language"] }, offered);
    },
  };
}
