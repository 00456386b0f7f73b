/** The part of a JSON schema (2020-12) that this code reads. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
};

export type NamedExamples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The schema of a body, with examples. */
export type Media = {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: NamedExamples;
};
type Content = { readonly "application/json": Media };

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
};

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
};

export type DocumentedOperation = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly "x-codeSamples"?: readonly {
    readonly lang: string;
    readonly label: string;
    readonly source: string;
  }[];
};

/** Operations by path and then by method, in small letters. */
type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;

/** The document while it is made, read and checked. */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly webhooks?: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly headers?: object };
};

/** Applies `change` to each operation, with its path and method. */
export function mapOperations(
  document: OpenApiDocument,
  change: (operation: DocumentedOperation, place: { path: string; method: string }) => DocumentedOperation,
): OpenApiDocument {
  const paths = mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => change(operation, { path, method })),
  );
  return { ...document, paths };
}

export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/**
 * Corrects the converted schemas. It drops unreferenced components, closed objects (fields may be added to
 * the contract) and the limits of JavaScript's integers. It describes query numbers as numbers, nulls as
 * types, and optional and missing bodies.
 */
export function tidyDocument(document: OpenApiDocument): OpenApiDocument {
  const tidy = mapOperations(tidyValue(document) as OpenApiDocument, (operation) =>
    leaveOutBodies(requireBodyWhereNeeded(operation)),
  );
  return { ...tidy, components: { ...tidy.components, schemas: referredTo(tidy) } };
}

/** No body is the same as an empty object. */
function requireBodyWhereNeeded(operation: DocumentedOperation): DocumentedOperation {
  if (operation.requestBody === undefined) return operation;
  const { content } = operation.requestBody;
  const { required = [], minProperties = 0 } = content["application/json"].schema;
  const isNeeded = required.length > 0 || minProperties > 0;
  return { ...operation, requestBody: { required: isNeeded, content } };
}

/** A 304 has no body, which a schema cannot express. */
function leaveOutBodies(operation: DocumentedOperation): DocumentedOperation {
  const responses = mapValues(operation.responses, (response, status) =>
    status === "304" ? { description: response.description } : response,
  );
  return { ...operation, responses };
}

type Json = Record<string, unknown>;

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => isOfQuery(value) || !isNoise(key, item))
    .map(([key, item]) => [key, tidyValue(item)]);
  return describeNumber(joinNull(nameSuccess(Object.fromEntries(entries))));
}

function isNoise(key: string, item: unknown): boolean {
  if (key === "additionalProperties") return item === false;
  return (key === "minimum" || key === "maximum") && Math.abs(Number(item)) === Number.MAX_SAFE_INTEGER;
}

/** A number in a query is checked as text first, and has a pattern. It has limits of its own. */
function isOfQuery(schema: object): boolean {
  return "type" in schema && schema.type === "integer" && "pattern" in schema;
}

/** The pattern and the default of a number in a query apply to its text. */
function describeNumber(schema: Json): Json {
  if (schema.type !== "integer") return schema;
  const { pattern: _pattern, default: preset, ...rest } = schema;
  return preset === undefined ? rest : { ...rest, default: Number(preset) };
}

/**
 * A nullable schema becomes one schema whose type includes null. Nullable enumerations get no type: for a
 * list of types client generators would make one enumeration each.
 */
function joinNull(schema: Json): Json {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [inner, other] = anyOf as Json[];
  if (inner === undefined || other?.type !== "null" || typeof inner.type !== "string") return schema;
  const { const: only, enum: several, type, ...rest } = inner;
  const values = several ?? (only === undefined ? undefined : [only]);
  if (Array.isArray(values)) return { ...rest, ...outer, enum: [...values, null] };
  return { ...rest, ...outer, type: [type, "null"] };
}

function nameSuccess(response: Json): Json {
  return response.description === "Default Response" ? { ...response, description: "Success" } : response;
}

/** The components that the document refers to, directly or through others. */
function referredTo({ components, ...rest }: OpenApiDocument): Record<string, Schema> {
  const used: Record<string, Schema> = {};
  const waiting: unknown[] = [rest];
  while (waiting.length > 0) {
    const text = JSON.stringify(waiting.pop());
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (name in used || !text.includes(`"#/components/schemas/${name}"`)) continue;
      used[name] = schema;
      waiting.push(schema);
    }
  }
  return used;
}
