import { type Id, parseId } from "@daric/domain/ids";

/** The length of an id as bytes. */
export const ID_BYTES = 16;

/** The ids as bytes, one behind the other. */
export function bytesOfIds(...ids: readonly Id<string>[]): Buffer {
  return Buffer.from(ids.join("").replaceAll("-", ""), "hex");
}

/** The id of 16 bytes; undefined for any other number of bytes. */
export function idOfBytes<Kind extends string>(kind: Kind, bytes: Buffer): Id<Kind> | undefined {
  return parseId(kind, bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}
