import type { Letter } from "@daric/console/messages/letter";

/** Texts of merchants that try to be markup, headers, links, or to reorder what follows. */
export const hostileTexts: readonly string[] = [
  `<script>alert(1)</script><b>bold</b>`,
  `"><img src=x onerror=alert(1)>`,
  "</td></tr></table><style>*{display:none}</style>",
  "Shop\r\nBcc: all@victim.example\r\n\r\nNew body",
  "Shop\u2028Bcc: all@victim.example\u0085\u0000\u001b[31m",
  "Shop \u202etxt.exe\u202c",
  "Shop \u2066\u2067inside\u2069\u2069\u2069",
  "pay\u200bpal \ufeffadmin\u00ad\u2060",
  "x".repeat(500),
  "👨‍👩‍👧‍👦".repeat(100),
  "متجر الكتب 12",
  `{{constructor}} $${"{7*7}"} <%= 1 %> {amount} {shop} $& $'`,
  "\ud800 half \udfff",
  "Verify your wallet at https://evil.example/login or www.evil.example, write to a@evil.example",
  "@everyone javascript:alert(1) data:text/html,x",
  " \u200b\t ",
];

/** A harmless text that takes the same place as a hostile one. */
export function harmlessLike(text: string): string {
  return text.length > 20 ? "x".repeat(500) : "Shop";
}

/** The tags of a mail, without their attributes, and the attributes that load or run. */
export function tagsOf(html: string): string[] {
  const tags = [...html.matchAll(/<(\/?[a-z][a-z0-9]*)/gi)].map(([, tag = ""]) => tag.toLowerCase());
  return [
    ...tags.filter((tag) => !/^\/?span$/.test(tag)),
    ...(html.match(/<[^>]*\s(?:on\w+|srcset|background)=/gi) ?? []),
  ];
}

/** Every address that a mail links, loads, or names so that a program would link it, once. */
export function addressesOf({ html, text }: Pick<Letter, "html" | "text">): string[] {
  const named = [html, text].flatMap(
    (part) => part.match(/\b\w+:\/\/[^\s"'<>]*|\bwww\.\w[^\s"'<>]*/gi) ?? [],
  );
  const linked = [...html.matchAll(/<[^>]*\s(?:href|src)="([^"]*)"|\burl\(([^)]*)/gi)].map(
    ([, attribute, style]) => attribute ?? style ?? "",
  );
  return [...new Set([...named, ...linked])].sort();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#96": "`",
  nbsp: "\u00a0",
};

/** The lines that a reader of the HTML part sees. */
export function seenLines(html: string): string[] {
  return html
    .slice(html.indexOf("<table"))
    .replace(/<!--.*?-->/gs, "")
    .split(/<(?:br|\/?(?:td|tr|table|p|h1|h2|div|img)\b)[^>]*>/i)
    .map((line) =>
      plain(line.replace(/<[^>]*>/g, "").replace(/&([#\w]+);/g, (_, name: string) => ENTITIES[name] ?? "?")),
    )
    .filter((line) => line !== "");
}

/** A text without marks of direction, on one line. */
export function plain(text: string): string {
  return text
    .replace(/[\u2068\u2069]/g, "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
}
