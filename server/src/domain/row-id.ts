/** The form of every id that we give (UUID). Without flags, because a document that repeats it has none. */
export const ID_PATTERN = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

/** Whether the text can be the id of a row. One that cannot is answered like one that is not there. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}
