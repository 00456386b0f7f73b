import type { Draft, Item, Link, MailPart } from "./draft.ts";
import { plainText, type Words } from "./words.ts";

const COLUMNS = 76;

/** The plain part of a mail. A code and a link have lines of their own, so that they can be copied. */
export function mailText(draft: Draft): string {
  const { direction } = draft.language;
  const written = (words: Words) => wrapped(plainText(words, direction));
  const link = ({ label, url }: Link) => `${written(label)}:\n${url}`;
  const item = ({ amount, details, code }: Item) =>
    [plainText(amount, direction), plainText(details, direction), code].join("\n");
  const title = written(draft.title);

  function part(part: MailPart): string {
    if (part.is === "paragraph" || part.is === "note") return written(part.words);
    if (part.is === "button") return link(part.link);
    if (part.is === "list") return [`${part.title}:`, part.items.map(item).join("\n\n")].join("\n");
    return part.facts.map(({ term, value }) => written([`${term}: `, ...value])).join("\n");
  }

  const footer = [
    ...draft.footer.map(written),
    ...(draft.footerLink === null ? [] : [link(draft.footerLink)]),
  ];
  return [
    written(draft.header),
    ...(draft.notice === null ? [] : [wrapped(draft.notice)]),
    draft.label === null ? title : `${draft.label}: ${title}`,
    ...draft.parts.map(part),
    // Mail programs take what follows this line for a signature.
    `-- \n${footer.join("\n\n")}\n`,
  ].join("\n\n");
}

/** Breaks a text at blanks. A text without blanks, as in Chinese, stays one line. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
