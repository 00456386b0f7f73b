import type { Language } from "@daric/hosted-checkout/messages/languages";
import type { Attachment } from "./letter.ts";
import type { MailValue, Words } from "./words.ts";

/** A letter before it is written. Both parts of the mail are made of it, so that neither says more than the other. */
export type Draft = {
  readonly language: Pick<Language, "tag" | "direction">;
  readonly subject: Words;
  readonly look: Look;
  /** the name at the top */
  readonly header: Words;
  readonly logo: Attachment | null;
  /** that it is a test */
  readonly notice: string | null;
  /** the kind of mail, above its title */
  readonly label: string | null;
  readonly title: Words;
  readonly parts: readonly MailPart[];
  /** why it came */
  readonly footer: readonly Words[];
  /** ends such mails */
  readonly footerLink: Link | null;
  readonly attachments: readonly Attachment[];
};

export type MailPart =
  | { readonly is: "paragraph"; readonly words: Words }
  | { readonly is: "note"; readonly words: Words }
  | { readonly is: "facts"; readonly facts: readonly Fact[] }
  | { readonly is: "list"; readonly title: string; readonly items: readonly Item[] }
  | { readonly is: "button"; readonly link: Link };

export type Fact = { readonly term: string; readonly value: Words };

/** A row of facts; none for a value that is unknown. */
export function fact(term: string, value: MailValue | Words | null): Fact[] {
  return value === null ? [] : [{ term, value: "value" in value ? [value] : value }];
}

/** An amount with details and a code. */
export type Item = { readonly amount: Words; readonly details: Words; readonly code: string };

export type Link = { readonly label: Words; readonly url: string };

/** Colours as `#rrggbb`: of the line at the top, and of the button with its text and its edge. */
export type Look = Readonly<Record<"light" | "dark", Shade>>;
type Shade = {
  readonly line: string;
  readonly fill: string;
  readonly text: string;
  readonly edge: string;
};
