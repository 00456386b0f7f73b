import { isEmail } from "@daric/domain/email";

const BLANKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** Marks that are not seen: some reorder or split the text around them. The two joiners belong to scripts and emoji. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;
const UNPAIRED = /\p{Cs}/gu;
/** Where mail programs begin or continue a link: a dot before letters, a scheme, a sign before a domain or a name. */
const LINKABLE = /[.。．｡](?=\p{L}{2})|:(?=\/\/)|@/gu;
const ZERO_WIDTH_NON_JOINER = "\u200c";

const MAX_CONTACT = 254;

/** A text of a merchant in one line of at most `max` characters. */
export function merchantLine(text: string, max: number): string {
  const seen = text.replace(UNPAIRED, "\ufffd").replace(UNSEEN, "").replace(BLANKS, " ").trim();
  const characters = [...seen];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : seen;
}

/** A text of a merchant in one line, of which no mail program makes a link and no chat a mention. */
export function unlinked(text: string, max: number): string {
  return merchantLine(text, max).replace(LINKABLE, `$&${ZERO_WIDTH_NON_JOINER}`);
}

/**
 * The contact of a shop as text. An address is exact, so that it can be copied. A program that links it writes to the address that it
 * shows, and opens no page. A page is named by its host alone and not linked: the mail comes from us, and would lend it our name.
 */
export function contactOf(shop: {
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
}): string | null {
  const address = shop.supportEmail ?? "";
  // A program could take what stands before a slash for the host of a page.
  if (isEmail(address) && !address.includes("/")) return address;
  return unlinked(hostOf(shop.supportUrl ?? ""), MAX_CONTACT) || null;
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}
