import { type Html, html } from "@daric/runtime/html";
import type { Draft, Fact, Item, Link, Look, MailPart } from "./draft.ts";
import { type Direction, markupOf, plainText, type Words } from "./words.ts";

/** Clients that know no style sheet show the light colours, which are in the elements. */
const COLOURS = {
  page: { light: "#f6f7f9", dark: "#0d0f12" },
  surface: { light: "#ffffff", dark: "#16191e" },
  text: { light: "#14171c", dark: "#eef1f5" },
  muted: { light: "#565f6c", dark: "#a3adba" },
  rule: { light: "#dde2e9", dark: "#2b313a" },
  notice: { light: "#fdf1dc", dark: "#2d2314" },
  noticeText: { light: "#8a4f00", dark: "#f0b85f" },
} as const;
const { page, surface, text, muted, rule, notice, noticeText } = COLOURS;

const FONT = "font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const CODE = "font-family:Menlo,Consolas,monospace;font-size:12px;line-height:18px;word-break:break-all";
const TEXT = `${FONT};font-size:16px;line-height:24px;color:${text.light};overflow-wrap:anywhere`;
const SMALL = `${FONT};font-size:13px;line-height:20px;color:${muted.light};overflow-wrap:anywhere`;
const TABLE = html`role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;

/** The width of the text for those that see no limit of a style, in pixels. */
const WIDTH = 560;
/** Characters of a value beside its term on a small phone. */
const MAX_BESIDE = 20;

/**
 * The HTML part of a mail: tables, because Outlook lays out nothing else, and styles in the elements, because others drop a sheet. It
 * loads nothing. The wrapper repeats language and direction, which web mail takes from the document.
 */
export function mailHtml(draft: Draft, subject: string): string {
  const { tag, direction } = draft.language;
  const parts = draft.parts.map((part) => partOf(part, draft));
  const label =
    draft.label !== null &&
    html`<p class="m" style="margin:0 0 4px;${SMALL};font-weight:600">${draft.label}</p>`;
  return String(html`<!doctype html>
<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${subject}</title><style>${sheetOf(draft.look)}</style></head>
<body class="p" style="margin:0;padding:0;background:${page.light}"><div class="p" lang="${tag}" dir="${direction}" role="main" style="background:${page.light}">${preheader(draft)}
<table ${TABLE}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table ${TABLE} dir="${direction}" class="s" bgcolor="${surface.light}" style="max-width:${WIDTH}px;table-layout:fixed;background:${surface.light};border:1px solid ${rule.light};border-radius:12px"><tr><td class="k" style="height:4px;line-height:4px;font-size:0;background:${draft.look.light.line};border-radius:12px 12px 0 0">&nbsp;</td></tr>
<tr><td style="padding:20px 24px 12px">${headerOf(draft)}${noticeOf(draft)}${label}<h1 class="t" style="margin:0 0 12px;${FONT};font-size:24px;line-height:32px;font-weight:700;color:${text.light};overflow-wrap:anywhere">${markupOf(draft.title, direction)}</h1>
${parts}</td></tr></table>
${footerOf(draft)}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></div></body></html>
`);
}

function sheetOf({ dark }: Look): Html {
  return html`:root{color-scheme:light dark;supported-color-schemes:light dark}@media(prefers-color-scheme:dark){.p{background:${page.dark}!important}.s{background:${surface.dark}!important;border-color:${rule.dark}!important}.t{color:${text.dark}!important}.m{color:${muted.dark}!important}.r{border-color:${rule.dark}!important}.n{background:${notice.dark}!important;color:${noticeText.dark}!important}.k{background:${dark.line}!important}.b{background:${dark.fill}!important;border-color:${dark.edge}!important;color:${dark.text}!important}}`;
}

/** The line that a list of mails shows beside the subject. */
function preheader({ parts, language }: Draft): Html | null {
  const first = parts.find((part) => part.is === "paragraph");
  if (first === undefined) return null;
  return html`<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${plainText(first.words, language.direction)}</div>`;
}

/** The logo stands on white, because most are drawn for it. The name beside it is its text. */
function headerOf({ header, logo, language: { direction } }: Draft): Html {
  const image =
    logo !== null &&
    html`<td width="40"><img src="cid:${logo.cid ?? ""}" alt="" width="40" height="40" style="display:block;width:40px;height:40px;object-fit:contain;background:#ffffff;border-radius:8px"></td><td width="12"></td>`;
  return html`<table ${TABLE} style="margin-bottom:20px;table-layout:fixed"><tr>${image}<td class="t" style="${TEXT};font-weight:600">${markupOf(header, direction)}</td></tr></table>
`;
}

function noticeOf({ notice: words }: Draft): Html | null {
  if (words === null) return null;
  return html`<table ${TABLE} style="margin-bottom:20px"><tr><td class="n" style="${SMALL};padding:8px 12px;border-radius:8px;background:${notice.light};color:${noticeText.light};font-weight:600">${words}</td></tr></table>
`;
}

function partOf(part: MailPart, { look, language: { direction } }: Draft): Html {
  const written = (words: Words) => markupOf(words, direction);
  switch (part.is) {
    case "paragraph":
      return html`<p class="t" style="margin:0 0 16px;${TEXT}">${written(part.words)}</p>
`;
    case "note":
      return html`<p class="m" style="margin:0 0 16px;${SMALL}">${written(part.words)}</p>
`;
    case "button":
      return buttonOf(part.link, look, direction);
    case "facts":
      return html`<table ${TABLE} style="margin-bottom:16px">${part.facts.map((fact) => factRow(fact, direction))}</table>
`;
    case "list":
      return html`<h2 class="m" style="margin:0 0 8px;${SMALL};font-weight:600">${part.title}</h2><table ${TABLE} style="margin-bottom:16px;table-layout:fixed">${part.items.map((item) => itemRow(item, direction))}</table>
`;
  }
}

/** A short value stands at the end of the line; a longer one below its term, so that a phone does not break it. */
function factRow({ term, value }: Fact, direction: Direction): Html {
  const border = `border-top:1px solid ${rule.light}`;
  const written = markupOf(value, direction);
  if (plainText(value, direction).length > MAX_BESIDE)
    return html`<tr><td class="r" colspan="3" style="padding:8px 0;${border}"><span class="m" style="${SMALL}">${term}</span><br><span class="t" style="${TEXT};font-size:15px">${written}</span></td></tr>
`;
  const end = direction === "rtl" ? "left" : "right";
  return html`<tr><td class="m r" valign="top" style="${SMALL};line-height:24px;padding:8px 0;${border};white-space:nowrap">${term}</td><td class="r" width="16" style="${border}"></td><td class="t r" valign="top" align="${end}" style="${TEXT};font-size:15px;padding:8px 0;${border}">${written}</td></tr>
`;
}

function itemRow({ amount, details, code }: Item, direction: Direction): Html {
  return html`<tr><td class="r" style="padding:8px 0;border-top:1px solid ${rule.light}"><span class="t" style="${TEXT};font-weight:600">${markupOf(amount, direction)}</span><br><span class="m" style="${SMALL}">${markupOf(details, direction)}</span><br><span class="m" dir="ltr" style="color:${muted.light};${CODE}">${code}</span></td></tr>
`;
}

function buttonOf({ label, url }: Link, { light }: Look, direction: Direction): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 24px"><tr><td class="b" bgcolor="${light.fill}" style="background:${light.fill};border:1px solid ${light.edge};border-radius:8px"><a class="b" href="${url}" style="display:inline-block;padding:12px 24px;${FONT};font-size:16px;line-height:24px;font-weight:600;text-decoration:none;color:${light.text};background:${light.fill};border-radius:8px">${markupOf(label, direction)}</a></td></tr></table>
`;
}

function footerOf({ footer, footerLink, language: { direction } }: Draft): Html {
  const lines = footer.map(
    (words) => html`<p class="m" style="margin:0 0 8px;${SMALL}">${markupOf(words, direction)}</p>
`,
  );
  const link =
    footerLink !== null &&
    html`<p class="m" style="margin:0;${SMALL}"><a class="m" href="${footerLink.url}" style="color:${muted.light};text-decoration:underline">${markupOf(footerLink.label, direction)}</a></p>`;
  return html`<table ${TABLE} dir="${direction}" style="max-width:${WIDTH}px;table-layout:fixed"><tr><td style="padding:20px 24px 0">${lines}${link}</td></tr></table>`;
}
