/** The plain forms of RFC 5321 and 5322; none can end a header or a link early. */
export const EMAIL_PATTERN = /^[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i;
/** A dot begins or ends a name, or follows another one; a hyphen begins or ends a part of the host. */
const MISPLACED = /^\.|\.\.|\.@|@-|-\.|\.-[^@]*$|-$/;
export const MAX_EMAIL_CHARS = 254;

/** Whether a text is one e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && EMAIL_PATTERN.test(text) && !MISPLACED.test(text);
}
