import { REPEATABLE } from "../typescript/src/retry-policy.ts";

type Json = { readonly [key: string]: unknown };

/** The type of a value on the wire, in no language. */
export type Shape =
  | { readonly kind: "text" | "decimal" | "time" | "integer" | "number" | "boolean" | "any" }
  | { readonly kind: "enum"; readonly values: readonly (string | boolean)[] }
  | { readonly kind: "list" | "map"; readonly of: Shape }
  | { readonly kind: "record"; readonly name: string };

/** A field of a record, of a query or of a body, with its name on the wire. */
export type WireField = {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string;
};

/** An object of an answer or of an event. */
export type WireRecord = {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly WireField[];
};

/** An operation that a key or a token may call. */
export type ClientCall = {
  /** `createDepositAddress` */
  readonly id: string;
  /** `POST /v1/deposit-addresses` */
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly path: readonly string[];
  readonly query: readonly WireField[];
  /** undefined for an operation without a body */
  readonly body: readonly WireField[] | undefined;
  /** the type of `data`, of one row for a list */
  readonly answer: Shape;
  /**
   * `row` is one value; `all` is a list that is read on after its last row; `page` has page numbers only; `feed` has a cursor; `file` is a
   * download without an envelope
   */
  readonly kind: "row" | "page" | "all" | "feed" | "file";
  readonly isKeyless: boolean;
  /** whether a second call changes nothing */
  readonly isRepeatable: boolean;
  /** the limit of a try in seconds; undefined for the client's own */
  readonly timeoutSeconds: number | undefined;
  /** whether null clears a field, and a field that is left out stays */
  readonly isPatch: boolean;
};

/** Everything that a client takes from the OpenAPI document. */
export type ClientContract = {
  readonly records: readonly WireRecord[];
  readonly calls: readonly ClientCall[];
  /** the record of each event's body by the name of the event */
  readonly events: readonly { readonly name: string; readonly record: string }[];
};

/** Calls that make up to 100,000 deliveries due take long, and so do files with any number of rows. */
const SLOW = ["resendWebhookDeliveries", "recoverWebhookEndpoint"];
const SLOW_SECONDS = 120;

/** A repetition without a reference would promise the money twice, so every client asks for one. */
const REQUIRED_BY_CLIENTS: Readonly<Record<string, readonly string[]>> = { askForRefund: ["refundRef"] };

/** A row or page that is also to be had as a file is read as an envelope, without these; the file has a call of its own. */
const OF_FILES = ["format", "language", "bom", "separator", "decimal"];
const OF_PAGES = ["page", "limit"];

/**
 * The contract as the clients of all languages use it. Operations that only a person's session may call are left out.
 *
 * @throws Error for a schema that no client can express, with its place.
 */
export function contractModel(document: Json): ClientContract {
  const records: WireRecord[] = [];
  const schemas = Object.entries(at(document, "components", "schemas") as Json).sort(byName);
  for (const [name, schema] of schemas) if (name !== "Error") addRecord(name, schema as Json, records);
  const calls = Object.entries(document.paths as Json)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([path, item]) =>
      ["get", "post", "put", "patch", "delete"].flatMap((method) =>
        callIn(`${method.toUpperCase()} ${path}`, (item as Json)[method] as Json | undefined, records),
      ),
    )
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const events = Object.entries((document.webhooks ?? {}) as Json).map(([name, item]) => {
    const schema = at(item as Json, "post", "requestBody", "content", "application/json", "schema") as Json;
    return { name, record: nameIn(schema.$ref) };
  });
  const names = records.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} would name two types`);
  return { records: records.sort((left, right) => (left.name < right.name ? -1 : 1)), calls, events };
}

function callIn(operation: string, node: Json | undefined, records: WireRecord[]): ClientCall[] {
  if (node === undefined || /^In the session of /.test(String(node.description))) return [];
  const id = String(node.operationId);
  const answer = answerOf(node);
  const data = at(answer, "properties", "data") as Json | undefined;
  const isFile = Object.keys(answer).length === 0;
  if (data === undefined && !isFile) throw new Error(`${operation}: the answer has no data`);
  const parameters = (node.parameters ?? []) as readonly Json[];
  const fields = parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => fieldOf(parameter.schema as Json, { ...parameter, owner: id }, records));
  const query = fields.filter(({ name }) => isFile || !OF_FILES.includes(name));
  const body = at(node, "requestBody", "content", "application/json", "schema") as Json | undefined;
  const kind = kindOf(query, answer);
  const row = ["row", "file"].includes(kind) ? data : data?.items;
  const hasFile = !isFile && fields.some(({ name }) => name === "format");
  const call: ClientCall = {
    id,
    operation,
    summary: String(node.summary),
    description: String(node.description ?? ""),
    path: parameters.filter((parameter) => parameter.in === "path").map(({ name }) => String(name)),
    query,
    body: body && fieldsOf(body, pascal(id), records, REQUIRED_BY_CLIENTS[id]),
    answer: row === undefined ? { kind: "any" } : shapeOf(row as Json, `${pascal(id)}Answer`, records),
    kind,
    isKeyless: (node.security as readonly unknown[]).length === 0,
    isRepeatable: operation.startsWith("GET ") || (REPEATABLE as readonly string[]).includes(operation),
    timeoutSeconds: isFile || hasFile || SLOW.includes(id) ? SLOW_SECONDS : undefined,
    isPatch: operation.startsWith("PATCH "),
  };
  return hasFile ? [call, fileCallOf(call, fields)] : [call];
}

/** The calls without a second one of the same operation, for tables of its facts. */
export function onePerOperation(calls: readonly ClientCall[]): ClientCall[] {
  return calls.filter(({ operation }, index) =>
    calls.slice(0, index).every((earlier) => earlier.operation !== operation),
  );
}

/** The call that answers a row or page as a file, for a `format`. */
function fileCallOf(call: ClientCall, fields: readonly WireField[]): ClientCall {
  const query = fields.filter(({ name }) => !OF_PAGES.includes(name)).map(formatOfFile);
  return {
    ...call,
    id: call.id.replace(/^retrieve/, "download"),
    summary: call.summary.replace(/^Retrieve/, "Download"),
    query,
    answer: { kind: "any" },
    kind: "file",
  };
}

/** The format has to be said, because the service answers no file without one. */
function formatOfFile(field: WireField): WireField {
  const { name, shape } = field;
  if (name !== "format" || shape.kind !== "enum") return field;
  const values = shape.values.filter((value) => value !== "json");
  return { ...field, shape: { ...shape, values }, isRequired: true, description: "The format of the file." };
}

function kindOf(query: readonly WireField[], answer: Json): ClientCall["kind"] {
  const isPaged = query.some(({ name }) => name === "limit");
  if (Object.keys(answer).length === 0) return "file";
  if (!isPaged || (at(answer, "properties", "data") as Json).type !== "array") return "row";
  if (at(answer, "properties", "meta", "properties", "next") !== undefined) return "feed";
  return query.some(({ name }) => name === "after") ? "all" : "page";
}

/** The schema of a successful answer in JSON; it is empty for a download, which has no envelope. */
function answerOf(node: Json): Json {
  const [, success] = Object.entries(node.responses as Json).find(([status]) => /^2\d\d$/.test(status)) ?? [];
  return (at(success as Json, "content", "application/json", "schema") ?? {}) as Json;
}

function addRecord(name: string, schema: Json, records: WireRecord[]): void {
  const description = String(schema.description ?? "");
  records.push({ name, description, fields: fieldsOf(schema, name, records) });
}

function fieldsOf(schema: Json, owner: string, records: WireRecord[], more: readonly string[] = []) {
  const required = [...((schema.required ?? []) as readonly string[]), ...more];
  return Object.entries((schema.properties ?? {}) as Json).map(([name, property]) => {
    const isRequired = required.includes(name);
    const field = fieldOf(property as Json, { name, required: isRequired, owner }, records);
    return more.includes(name) ? { ...field, isNullable: false } : field;
  });
}

function fieldOf(schema: Json, facts: Json, records: WireRecord[]): WireField {
  const name = String(facts.name);
  return {
    name,
    shape: shapeOf(schema, `${facts.owner}${pascal(name)}`, records),
    isRequired: facts.required === true,
    isNullable: isNullable(schema),
    description: String(facts.description ?? schema.description ?? ""),
  };
}

/** The shape of a schema. An object without a name becomes a record that is named after its place. */
function shapeOf(schema: Json, place: string, records: WireRecord[]): Shape {
  if (schema.$ref !== undefined) return { kind: "record", name: nameIn(schema.$ref) };
  if ("const" in schema) return { kind: "enum", values: [schema.const as string | boolean] };
  if (Array.isArray(schema.enum))
    return { kind: "enum", values: schema.enum.filter((value) => value !== null) };
  const [type, ...others] = [schema.type].flat().filter((name) => name !== "null");
  if (others.length > 0) throw new Error(`${place}: a value of two types`);
  if (type === "string") return { kind: kindOfText(schema) };
  if (type === "integer" || type === "number" || type === "boolean") return { kind: type };
  if (type === "array") return { kind: "list", of: shapeOf(schema.items as Json, place, records) };
  if (type !== "object") throw new Error(`${place}: cannot tell the type of ${JSON.stringify(schema)}`);
  if (schema.properties !== undefined) {
    addRecord(place, schema, records);
    return { kind: "record", name: place };
  }
  const values = schema.additionalProperties as Json | undefined;
  const isDescribed = values !== undefined && Object.keys(values).length > 0;
  return { kind: "map", of: isDescribed ? shapeOf(values, place, records) : { kind: "any" } };
}

/** The patterns of money and of rates have digits on both sides of a point. */
function kindOfText({ format, pattern }: Json): "text" | "time" | "decimal" {
  if (format === "date-time") return "time";
  return /^\^(?:-\?)?\(0\|\[1-9\]\[0-9\][^)]*\)\(\\\./.test(String(pattern)) ? "decimal" : "text";
}

function isNullable({ type, enum: values }: Json): boolean {
  return [type].flat().includes("null") || (Array.isArray(values) && values.includes(null));
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

function nameIn(reference: unknown): string {
  return String(reference).split("/").at(-1) ?? "";
}

/** `order_ref` and `orderRef` as `OrderRef`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `orderRef` as `order_ref`. */
export function snake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** A text in lines of at most this width. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function at(document: Json | undefined, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
}
