import { en, type Words } from "./en/en.ts";

/** A language of the pages, with its name in itself. */
type Language = { readonly tag: string; readonly name: string; readonly load: () => Promise<Words> };

/** Only complete catalogues are listed. */
export const languages: readonly [Language, ...Language[]] = [
  { tag: "en", name: "English", load: async () => en },
];

const STORED = "daric.language";

/** The catalogue of the chosen language. It is loaded once, before the first page is drawn. */
export let words: Words = { ...en };
/** The tag of the chosen language, for dates and numbers. */
export let language = "en";

/** Loads the catalogue of the stored language, or else of the best one that the browser asks for. */
export async function loadWords(): Promise<void> {
  const asked = [localStorage.getItem(STORED), ...navigator.languages];
  const found = asked.flatMap((tag) => languages.filter(({ tag: known }) => known === tag?.split("-")[0]));
  const [chosen = languages[0]] = found;
  words = await chosen.load();
  language = chosen.tag;
  document.documentElement.lang = chosen.tag;
}
