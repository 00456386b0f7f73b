import { concatBytes } from "@noble/hashes/utils.js";
import {
  allBytesOf,
  bytesOf,
  decodeFields,
  hexField,
  hexOf,
  intField,
  intOf,
  messageField,
  type ProtobufField,
  textField,
} from "./protobuf.ts";

/**
 * The kind of a field. Addresses and bytes are lower-case hex, and so is a name, which is bytes that clients read as text. An enum is
 * its names in the order of their numbers.
 */
export type FieldKind =
  | "address"
  | "bytes"
  | "name"
  | "text"
  | "int64"
  | "int32"
  | "flag"
  | { readonly names: readonly string[] }
  | { readonly message: MessageShape }
  | { readonly list: MessageShape };

/** The fields of a protobuf message, in ascending order of their numbers. */
export type MessageShape = { readonly [name: string]: readonly [number: number, kind: FieldKind] };

/** A message with a value for every field; absent ones have proto3's default. */
export type MessageOf<Shape extends MessageShape> = {
  readonly [Name in keyof Shape]: ValueOf<Shape[Name][1]>;
};

type ValueOf<Kind extends FieldKind> = Kind extends "int64"
  ? bigint
  : Kind extends "int32"
    ? number
    : Kind extends "flag"
      ? boolean
      : Kind extends { readonly names: readonly (infer Name)[] }
        ? Name
        : Kind extends { readonly message: infer Inner extends MessageShape }
          ? MessageOf<Inner> | undefined
          : Kind extends { readonly list: infer Inner extends MessageShape }
            ? readonly MessageOf<Inner>[]
            : string;

/** Encodes a message with fields in ascending order and without proto3 defaults. */
export function encodeMessage<Shape extends MessageShape>(
  shape: Shape,
  message: MessageOf<Shape>,
): Uint8Array {
  const fields = Object.entries(shape).map(([name, [number, kind]]) =>
    encodeField(number, kind, message[name as keyof Shape]),
  );
  return concatBytes(...fields);
}

/**
 * Decodes a message and skips fields outside the shape. @throws RangeError on malformed protobuf or an unnamed enum
 * number.
 */
export function decodeMessage<Shape extends MessageShape>(shape: Shape, bytes: Uint8Array): MessageOf<Shape> {
  const fields = decodeFields(bytes);
  const values = Object.entries(shape).map(([name, [number, kind]]) => [
    name,
    decodeField(fields, number, kind),
  ]);
  return Object.fromEntries(values) as MessageOf<Shape>;
}

function encodeField(number: number, kind: FieldKind, value: unknown): Uint8Array {
  if (kind === "address" || kind === "bytes" || kind === "name") return hexField(number, value as string);
  if (kind === "text") return textField(number, value as string);
  if (kind === "flag") return intField(number, value === true ? 1 : 0);
  if (kind === "int64" || kind === "int32") return intField(number, value as bigint | number);
  if ("names" in kind) return intField(number, kind.names.indexOf(value as string));
  if ("list" in kind) {
    const items = value as readonly MessageOf<MessageShape>[];
    return concatBytes(...items.map((item) => messageField(number, encodeMessage(kind.list, item))));
  }
  if (value === undefined) return new Uint8Array();
  return messageField(number, encodeMessage(kind.message, value as MessageOf<MessageShape>));
}

function decodeField(fields: readonly ProtobufField[], number: number, kind: FieldKind): unknown {
  if (kind === "address" || kind === "bytes" || kind === "name") return hexOf(fields, number);
  if (kind === "text") return new TextDecoder().decode(bytesOf(fields, number));
  if (kind === "flag") return intOf(fields, number) !== 0n;
  if (kind === "int64") return intOf(fields, number);
  if (kind === "int32") return Number(BigInt.asIntN(32, intOf(fields, number)));
  if ("names" in kind) return nameOf(kind.names, intOf(fields, number));
  if ("list" in kind) return allBytesOf(fields, number).map((bytes) => decodeMessage(kind.list, bytes));
  const bytes = bytesOf(fields, number);
  return bytes === undefined ? undefined : decodeMessage(kind.message, bytes);
}

function nameOf(names: readonly string[], number: bigint): string {
  const name = names[Number(number)];
  if (name === undefined) throw new RangeError(`the enum of ${names.join(", ")} has no number ${number}`);
  return name;
}
