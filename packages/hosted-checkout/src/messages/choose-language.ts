import { type Language, offeredLanguages, scriptOf, translatedTags } from "./languages.ts";

/** Browsers send a few hundred different headers; parsing one takes a tenth of a millisecond. */
const MAX_CACHED = 500;
/** Real headers are shorter. */
const MAX_CACHED_LENGTH = 200;

/** The part of a request that names a language. */
type LanguageRequest = {
  readonly query: unknown;
  readonly headers: { readonly "accept-language"?: string | undefined };
};

/** The languages of pages. */
type PageLanguages = {
  /** English first */
  readonly offered: readonly [Language, ...Language[]];
  /** chooses the language of a request */
  readonly of: (request: LanguageRequest) => Language;
};

/** The languages of each merchant: those that it chose, or all. The same choice shares its cache. */
export function merchantLanguages(): (chosen: readonly string[] | null) => PageLanguages {
  const all = pageLanguages(translatedTags);
  const narrowed = new Map<string, PageLanguages>();
  return (chosen) => {
    if (chosen === null) return all;
    const tags = translatedTags.filter((tag) => chosen.includes(tag));
    const known = narrowed.get(tags.join()) ?? pageLanguages(tags);
    narrowed.set(tags.join(), known);
    return known;
  };
}

/** The languages with these tags, and English. */
export function pageLanguages(tags: readonly string[]): PageLanguages {
  const offered = offeredLanguages(tags);
  const cached = new Map<string, Language>();

  const preferred = (accepted: string) => {
    const known = cached.get(accepted);
    if (known !== undefined) return known;
    const language = chooseLanguage({ requested: undefined, accepted }, offered);
    if (cached.size >= MAX_CACHED) cached.clear();
    if (accepted.length <= MAX_CACHED_LENGTH) cached.set(accepted, language);
    return language;
  };

  return {
    offered,
    of: ({ query, headers }) => {
      const { lang: requested } = (query ?? {}) as { readonly lang?: unknown };
      const accepted = headers["accept-language"] ?? "";
      return requested === undefined ? preferred(accepted) : chooseLanguage({ requested, accepted }, offered);
    },
  };
}

/** A longer list is no real browser's. */
const MAX_RANGES = 32;
const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/** The languages that a request names. */
type RequestedLanguages = {
  /** the raw `?lang=` */
  readonly requested: unknown;
  /** the header Accept-Language */
  readonly accepted: string | undefined;
};

/**
 * The language of a page: that of its address, else the browser's first offered one, else English (the first
 * offered). A requested language matches the same language in the same script in any region. So `pt` and `pt-PT` match
 * `pt-BR`, and `zh-CN` matches `zh-Hans`, but `zh-TW` does not. Malformed requests are ignored.
 */
export function chooseLanguage(
  { requested, accepted }: RequestedLanguages,
  offered: readonly [Language, ...Language[]],
): Language {
  const [first] = [requested].flat();
  const ranges = [...(typeof first === "string" ? [first] : []), ...rangesOf(accepted ?? "")];
  for (const range of ranges) {
    const language = range === "*" ? offered[0] : languageOf(range, offered);
    if (language !== undefined) return language;
  }
  return offered[0];
}

function languageOf(range: string, offered: readonly Language[]): Language | undefined {
  const wanted = scriptOf(range);
  return wanted === undefined ? undefined : offered.find(({ script }) => script() === wanted);
}

/** The ranges of an Accept-Language (RFC 9110, 12.5.4), the most wanted first; refused ones are left out. */
function rangesOf(header: string): string[] {
  return header
    .split(",", MAX_RANGES)
    .flatMap((item) => {
      const [, range, weight = "1"] = RANGE.exec(item.trim()) ?? [];
      return range === undefined || Number(weight) === 0 ? [] : [{ range, weight: Number(weight) }];
    })
    .sort((left, right) => right.weight - left.weight)
    .map(({ range }) => range);
}
