import { type Html, html } from "./html.ts";
import type { PageView } from "./view.ts";

/** The other languages of the page, each in its own words; nothing where there is no other. The address keeps the choice. */
export function languageLinks({
  language,
  languages,
}: Pick<PageView, "language" | "languages">): Html | null {
  const others = languages.filter(({ tag }) => tag !== language.tag);
  if (others.length === 0) return null;
  const links = others.map(
    ({ tag, name }) => html`<li><a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  );
  return html`<nav class="languages" aria-label="${language.messages.page.otherLanguages}"><ul>${links}</ul></nav>`;
}
