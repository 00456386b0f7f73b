import type { Schema } from "../openapi/openapi-document.ts";
import { asMarkup, kebab } from "./html.ts";
import { inline } from "./markdown.ts";

/** The parts of a schema that only the documentation uses. */
type Shown = Schema & {
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly additionalProperties?: Schema | boolean;
};

const REF = "#/components/schemas/";

function refName(schema: Schema): string | undefined {
  return schema.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined;
}

/** The type in words: `string or null`, a link to an object, `list of …`. */
function typeOf(schema: Shown): string {
  const name = refName(schema);
  if (name !== undefined) return `<a href="/docs/objects/${kebab(name)}">${asMarkup(name)}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.const !== undefined) return `<code>${asMarkup(JSON.stringify(schema.const))}</code>`;
  const types = [schema.type ?? (schema.enum ? "string" : "anything")].flat();
  return types
    .map((type) => (type === "array" && schema.items ? `list of ${typeOf(schema.items)}` : type))
    .join(" or ");
}

function limitsOf(schema: Shown): string[] {
  const limits: string[] = [];
  const values = schema.enum?.filter((value) => value !== null);
  if (values && values.length > 0)
    limits.push(`One of ${values.map((value) => `<code>${asMarkup(String(value))}</code>`).join(", ")}.`);
  if (schema.maxLength !== undefined) limits.push(`At most ${schema.maxLength} characters.`);
  if (schema.minimum !== undefined) limits.push(`At least ${schema.minimum}.`);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER)
    limits.push(`At most ${schema.maximum}.`);
  if (schema.default !== undefined)
    limits.push(`Default <code>${asMarkup(JSON.stringify(schema.default))}</code>.`);
  const [example] = schema.examples ?? [];
  if (example !== undefined && example !== null && typeof example !== "object" && !values)
    limits.push(`Example <code>${asMarkup(String(example))}</code>.`);
  return limits;
}

/** The schema with the properties: the schema itself, one of its alternatives, or that of a list's items. */
function inner(schema: Shown): Shown | undefined {
  if (schema.properties) return schema;
  const choices = schema.anyOf ?? (schema.items ? [schema.items] : []);
  return choices.map(inner).find((schema) => schema !== undefined);
}

/** The properties of an object, those of objects inside it below them. */
export function propertyList(schema: Schema, { showRequired = false } = {}): string {
  const { properties = {}, required = [] } = inner(schema) ?? {};
  const rows = Object.entries(properties).map(([name, property]) =>
    entry(name, property, showRequired && required.includes(name)),
  );
  return `<dl class="properties">${rows.join("\n")}</dl>\n`;
}

/** A name with its type, its meaning and its limits. */
export function entry(name: string, schema: Schema, isRequired: boolean): string {
  const mark = isRequired ? ' <strong class="required">required</strong>' : "";
  const meaning = schema.description ? inline(schema.description) : "";
  const nested = refName(schema) === undefined && inner(schema) ? propertyList(schema) : "";
  const stated = [meaning, ...limitsOf(schema)].filter((text) => text !== "").join(" ");
  return `<div><dt><code>${asMarkup(name)}</code> <span class="type">${typeOf(schema)}</span>${mark}</dt><dd>${stated}${nested}</dd></div>`;
}
