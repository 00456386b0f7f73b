import { type Html, html } from "@daric/runtime/html";
import type { Language } from "../messages/languages.ts";
import { documentOf, iconOf } from "../page/document.ts";
import { isolated, languageLinks } from "../page/elements.ts";
import type { Assets, WebPage } from "../page/response.ts";
import { themeOf } from "../page/theme.ts";
import type { MailingShop } from "./shop-store.ts";

/** A page behind a link in a mail: a question with one button, or what its button did. */
export type MailQuestion = {
  readonly title: string;
  readonly text?: string;
  /** posts to the page's own address */
  readonly button?: string;
};

type Around = {
  readonly shop: Pick<MailingShop, "name" | "accentColor">;
  readonly language: Language;
  readonly languages: readonly Language[];
};

/** The page works without scripts, loads nothing, and acts by its button alone: mail servers open links. */
export function questionPage({ title, text, button }: MailQuestion, around: Around, assets: Assets): WebPage {
  const { shop, language } = around;
  const form =
    button !== undefined &&
    html`<form class="order" method="post"><button class="button" type="submit"><span>${button}</span></button></form>`;
  const body: Html = html`<main class="problem"><h1>${isolated(around, title)}</h1>${text !== undefined && html`<p>${isolated(around, text)}</p>`}${form}</main>
<footer>${languageLinks(around, (tag) => `?lang=${tag}`)}</footer>`;
  return documentOf({
    language,
    title: `${title} · ${shop.name}`,
    icon: iconOf(),
    theme: themeOf(shop.accentColor),
    assets: { ...assets, sheet: assets.linkSheet },
    head: null,
    body,
  });
}
