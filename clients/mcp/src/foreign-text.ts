/** The most characters of a text that people typed: as many as an order's reference may have. */
const MAX_CHARACTERS = 120;
/** Characters that steer a terminal or a reader and show nothing: controls, bidi and zero-width marks, tags, surrogates. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
/** Keys and secrets of endpoints, which somewhere were pasted into a text. */
const SECRETS = /daric_(?:test|live)_sk_\w+|whsec_\w+/g;

/**
 * A text that people typed, as one visible line of at most 120 characters where no other number is given; null without any. It is data: it goes into a field of
 * its own, and into no sentence.
 */
export function foreignText(text: string | null | undefined, maximum = MAX_CHARACTERS): string | null {
  if (text === null || text === undefined) return null;
  const line = text.replace(/\s+/gu, " ").replace(INVISIBLE, "").replace(SECRETS, "[secret]").trim();
  const characters = [...line];
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join("")}…`;
}
