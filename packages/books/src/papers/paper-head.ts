import { checkoutLanguages } from "@daric/domain/checkout";
import { chooseLanguage } from "@daric/hosted-checkout/messages/choose-language";
import { type Language, offeredLanguages } from "@daric/hosted-checkout/messages/languages";
import { localTime } from "@daric/runtime/time-zone";
import type { BookTerms } from "../terms/book-terms-store.ts";
import { openFonts } from "./fonts.ts";
import { openPaper, type Paper } from "./page.ts";
import { ltrText, ownText } from "./runs.ts";

/** The languages that need the operator's font. */
const OF_OWN_FONT = ["zh-Hans"];
export const sizes = { title: 18, text: 10, small: 8 } as const;

/** A paper with its words. */
export type WordedPaper = {
  readonly paper: Paper;
  readonly language: Language;
  /** a moment in the merchant's zone: `2026-11-30 09:05` */
  time(at: Date): string;
  /** an amount of a coin or a currency, which may be negative */
  money(text: string, currency: string): string;
  finish(): Promise<Uint8Array>;
};

/** The language that was asked for, and the font that the operator gave. */
export type PaperLanguage = { readonly tag: string; readonly fontFile: string | undefined };

/** Opens a paper of a merchant with its title, and its legal name, address and tax id where it has them. */
export function openWordedPaper(
  { tag, fontFile }: PaperLanguage,
  terms: BookTerms,
  titleOf: (words: Language["messages"]) => string,
): WordedPaper {
  const offered = offeredLanguages(checkoutLanguages);
  const own = chooseLanguage({ requested: tag, accepted: undefined }, offered);
  const hasFont = fontFile !== undefined || !OF_OWN_FONT.includes(own.tag);
  const language = hasFont ? own : offered[0];
  const { paper: words } = language.messages;
  const title = titleOf(language.messages);
  const paper = openPaper(language, title, openFonts(fontFile));
  paper.text(title, { size: sizes.title });
  paper.space(6);
  paper.text(ownText(terms.legalName ?? terms.name), { size: sizes.text });
  for (const line of terms.legalAddress?.split("\n") ?? [])
    paper.text(ownText(line), { size: sizes.text, colour: "faint" });
  if (terms.taxId !== null)
    paper.text(`${words.taxId}: ${ltrText(terms.taxId)}`, { size: sizes.text, colour: "faint" });
  if (!hasFont) paper.text(words.english, { size: sizes.small, colour: "faint" });
  paper.space(8);
  paper.rule();
  return {
    paper,
    language,
    time: (at) => {
      const { day, minute } = localTime(at, terms.timeZone);
      const two = (count: number) => String(count).padStart(2, "0");
      return ltrText(`${day} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`);
    },
    money: (text, currency) => {
      const written = language.figures.money(text.replace("-", ""), currency);
      return ltrText(`${text.startsWith("-") ? "−" : ""}${written}`);
    },
    finish: () => {
      paper.space(6);
      paper.text(words.times({ zone: ltrText(terms.timeZone) }), { size: sizes.small, colour: "faint" });
      if (paper.hasGaps()) paper.text(words.gaps, { size: sizes.small, colour: "faint" });
      return paper.finish((page, pages) => words.page({ page, pages }));
    },
  };
}
