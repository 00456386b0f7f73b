import type { FieldKind, MessageOf, MessageShape } from "@daric/tron/message";
import { hexBytes, int64, nameBytes, parseError, readAddress } from "./api-request.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderAddress, renderName } from "./render-text.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

/** A message as java-tron's JsonFormat prints it: fields in snake case, defaults left out. */
export function renderMessage<Shape extends MessageShape>(
  shape: Shape,
  fields: MessageOf<Shape>,
  visible: boolean,
): { [key: string]: JsonTree } {
  const rendered = Object.entries(shape).map(([name, [, kind]]) => [
    snakeCase(name),
    renderField(kind, fields[name as keyof Shape], visible),
  ]);
  return message(Object.fromEntries(rendered));
}

/**
 * Reads a message as JsonFormat does: absent fields get their default, unknown ones are skipped.
 * @throws RequestRefusal for a value of another kind than its field's.
 */
export function readMessage<Shape extends MessageShape>(
  shape: Shape,
  json: JsonFields,
  visible: boolean,
): MessageOf<Shape> {
  const read = Object.entries(shape).map(([name, [, kind]]) => {
    const key = snakeCase(name);
    return [name, readField({ kind, name: key, visible }, json[key])];
  });
  return Object.fromEntries(read) as MessageOf<Shape>;
}

export function asObject(value: unknown): JsonFields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function renderField(kind: FieldKind, value: unknown, visible: boolean): JsonTree | undefined {
  if (kind === "address") return value === "" ? "" : renderAddress(value as string, visible);
  if (kind === "name") return renderName(value as string, visible);
  if (typeof kind === "string") return value as JsonTree;
  if ("names" in kind) return value === kind.names[0] ? undefined : (value as string);
  if ("list" in kind) {
    const items = value as readonly MessageOf<MessageShape>[];
    return items.map((item) => renderMessage(kind.list, item, visible));
  }
  if (value === undefined) return undefined;
  return renderMessage(kind.message, value as MessageOf<MessageShape>, visible);
}

type Field = { readonly kind: FieldKind; readonly name: string; readonly visible: boolean };

function readField({ kind, name, visible }: Field, value: unknown): unknown {
  if (kind === "address") return isText(value) ? readAddress(value, visible) : "";
  if (kind === "bytes") return isText(value) ? hexBytes(value) : "";
  if (kind === "name") return isText(value) ? nameBytes(value, visible) : "";
  if (kind === "text") return isText(value) ? value : "";
  if (kind === "flag") return value === true || value === "true";
  if (kind === "int64") return int64(value, name);
  if (kind === "int32") return Number(int64(value, name));
  if ("names" in kind) return readName(kind.names, name, value);
  if ("list" in kind) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.map((item) => readMessage(kind.list, asObject(item) ?? {}, visible));
  }
  const object = asObject(value);
  return object && readMessage(kind.message, object, visible);
}

/** An enum value by its name, or by its number. */
function readName(names: readonly string[], field: string, value: unknown): string | undefined {
  const name = value === undefined ? names[0] : typeof value === "number" ? names[value] : String(value);
  if (name !== undefined && names.includes(name)) return name;
  throw parseError(`${field} has no value named "${value}".`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
