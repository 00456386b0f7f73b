import type { Draft } from "./draft.ts";
import type { Letter } from "./letter.ts";
import { mailHtml } from "./mail-html.ts";
import { mailText } from "./mail-text.ts";
import { plainText } from "./words.ts";

/** Writes every form of a letter. */
export function writeLetter(draft: Draft): Letter {
  const subject = plainText(draft.subject, draft.language.direction);
  const urls = draft.parts.flatMap((part) => (part.is === "button" ? [part.link.url] : []));
  return {
    subject,
    text: mailText(draft),
    html: mailHtml(draft, subject),
    attachments: [...(draft.logo === null ? [] : [draft.logo]), ...draft.attachments],
    short: [subject, ...urls].join("\n"),
  };
}
