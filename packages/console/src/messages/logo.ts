import type { Attachment } from "./letter.ts";

const MAX_LOGO_BYTES = 40_000;

/** How the images begin that every mail program shows. An SVG is none of them, and could hold a script. */
const TYPES = [
  { contentType: "image/png", filename: "logo.png", start: /^\x89PNG\r\n/ },
  { contentType: "image/jpeg", filename: "logo.jpg", start: /^\xff\xd8\xff/ },
  { contentType: "image/gif", filename: "logo.gif", start: /^GIF8[79]a/ },
  { contentType: "image/webp", filename: "logo.webp", start: /^RIFF.{4}WEBP/s },
] as const;

/** A shop's logo for its mails; null for a file that is too large, or no image by its own bytes. */
export function attachedLogo(content: Buffer | null): Attachment | null {
  if (content === null || content.length > MAX_LOGO_BYTES) return null;
  const start = content.toString("latin1", 0, 12);
  const type = TYPES.find((type) => type.start.test(start));
  return type === undefined
    ? null
    : { filename: type.filename, content, contentType: type.contentType, cid: "logo" };
}
