type Json = Record<string, unknown>;

/**
 * Corrects what the schemas' conversion says too much of: components that nothing refers to, closed objects (fields
 * may be added to the contract), the limits of JavaScript's integers, and query numbers described as text.
 */
export function tidyDocument<T extends object>(document: T): T {
  const tidy = tidyValue(document) as T & { components?: { schemas?: Json } };
  if (tidy.components?.schemas) tidy.components.schemas = referredTo(tidy, tidy.components.schemas);
  return tidy;
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => !isNoise(key, item))
    .map(([key, item]) => [key, tidyValue(item)]);
  return describeNumber(nameSuccess(Object.fromEntries(entries)));
}

function isNoise(key: string, item: unknown): boolean {
  if (key === "additionalProperties") return item === false;
  return (key === "minimum" || key === "maximum") && Math.abs(Number(item)) === Number.MAX_SAFE_INTEGER;
}

/** A number in a query is checked as text first; its pattern and its preset are of that text. */
function describeNumber(schema: Json): Json {
  if (schema.type !== "integer") return schema;
  const { pattern: _pattern, default: preset, ...rest } = schema;
  return preset === undefined ? rest : { ...rest, default: Number(preset) };
}

function nameSuccess(response: Json): Json {
  return response.description === "Default Response" ? { ...response, description: "Success" } : response;
}

/** Those that are left once no schema is there that nothing refers to but such a one. */
function referredTo(document: object, schemas: Json): Json {
  const text = JSON.stringify({ ...document, components: { schemas } });
  const all = Object.entries(schemas);
  const used = all.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return used.length === all.length ? schemas : referredTo(document, Object.fromEntries(used));
}
