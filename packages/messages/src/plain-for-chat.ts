/** Characters that change how a text is read without being seen: controls, direction marks and overrides, and the byte order mark. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu;

/** A text on one line, without characters that hide or turn others. */
export function cleanLine(text: string): string {
  return text.replace(UNSEEN, " ").replace(/ +/g, " ").trim();
}

/** At most so many characters of a text. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** The wide form of a character of ASCII: it looks the same, and no chat program reads it as markup. */
const wide = (character: string) =>
  String.fromCharCode(character.charCodeAt(0) + "！".charCodeAt(0) - "!".charCodeAt(0));

/**
 * All that Slack, Discord, Mattermost or Telegram reads as markup, a mention, an emoji, a command, a formula or a link. An underscore stays
 * between two letters or digits, a colon before a space, and a slash after a letter or digit.
 */
const MARKUP =
  /[*~`<>@|[\]{}\\#$&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\S)|(?<![\p{L}\p{N}])\/|^[-+=](?=\s|[-=])|^\p{N}+\.(?=\s)/gu;
/** A dot before a letter makes a host name, which becomes a link. */
const DOT_OF_NAME = /\.(?=\p{L})/gu;
/** It looks like a full stop, and stands in no host name. */
const LEADER = "\u2024";

/** A text of other people as one line of plain text in any chat: nothing in it is markup, a mention or a link. */
export function plainForChat(text: string): string {
  return cleanLine(text)
    .replace(MARKUP, (found) => (found.length === 1 ? wide(found) : found.replace(".", LEADER)))
    .replace(DOT_OF_NAME, LEADER);
}
