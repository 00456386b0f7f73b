import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type {
  DocumentedOperation,
  OpenApiDocument,
  Response,
  Schema,
} from "../../../apps/daric/scripts/openapi/openapi-document.ts";

export type ApiAnswer = {
  readonly method: string;
  /** without the query */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};

/** Returns the differences between a response and the OpenAPI document: status, headers, body, extra fields. */
export type AnswerCheck = (answer: ApiAnswer) => string[];

/** Headers that are text even if all digits. */
const TEXTS = new Set(["x-correlation-id", "x-ignored-fields"]);

/** Refusals of any path, also unknown ones. */
const ANYWHERE = { 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED" } as const;

export function createAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as object, "document");
  const validators = new Map<string, ValidateFunction>();
  const findOperation = createFindOperation(document);

  function faultsOfValue(value: unknown, pointer: string): string[] {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }

  function faultsOfHeaders({ headers }: ApiAnswer, response: Response): string[] {
    return Object.keys(response.headers ?? {}).flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      const read = /^\d+$/.test(String(value)) && !TEXTS.has(name) ? Number(value) : value;
      return faultsOfValue(read, `/components/headers/${name}/schema`).map(
        (fault) => `header ${name}: ${fault}`,
      );
    });
  }

  return (answer) => {
    const { method, status } = answer;
    const found = findOperation(answer);
    if (found === undefined)
      return isElsewhere(answer) ? [] : faultsOfValue(parsed(answer), pointerOf("Error"));
    const response = found.operation.responses[String(status)];
    if (response === undefined) return [`the status ${status} is not documented: ${answer.body}`];
    const media = response.content?.["application/json"];
    const faults = faultsOfHeaders(answer, response);
    if (method === "HEAD" || media === undefined) return faults;
    if (String(answer.headers["content-type"]).startsWith("text/csv"))
      return offersCsv(found.operation) ? faults : [...faults, "CSV is not documented"];
    const body = parsed(answer);
    // All refusals share one schema, which is compiled once.
    const pointer =
      media.schema.$ref?.slice(1) ?? `${found.pointer}/responses/${status}/content/application~1json/schema`;
    return [...faults, ...faultsOfValue(body, pointer), ...faultsOfCode(body, response)];
  };
}

/** An operation offers CSV by a parameter `format` with this value. */
function offersCsv({ parameters = [] }: DocumentedOperation): boolean {
  return parameters.some(({ name, schema }) => name === "format" && JSON.stringify(schema).includes('"csv"'));
}

function pointerOf(component: string): string {
  return `/components/schemas/${component}`;
}

function parsed({ body }: ApiAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Pages, probes and the document are outside the OpenAPI document; only their API refusals are checked. */
function isElsewhere({ path, status, headers }: ApiAnswer): boolean {
  return (
    !path.startsWith("/v1/") || !(status in ANYWHERE) || !String(headers["content-type"]).includes("json")
  );
}

/** A refusal's code must be documented for the operation and its status. */
function faultsOfCode(body: unknown, { content }: Response): string[] {
  const code = (body as { error?: { code?: unknown } } | undefined)?.error?.code;
  const known = content?.["application/json"].examples;
  if (typeof code !== "string" || known === undefined || code in known) return [];
  return [`the code ${code} is not documented here, only ${Object.keys(known).join(", ")}`];
}

function createFindOperation({ paths }: OpenApiDocument) {
  const routes = Object.entries(paths)
    .sort(([a], [b]) => a.split("{").length - b.split("{").length)
    .map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
      methods,
      pointer: `/paths/${encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"))}`,
    }));
  return ({ method, path }: ApiAnswer): { operation: DocumentedOperation; pointer: string } | undefined => {
    const route = routes.find(({ pattern }) => pattern.test(path));
    const name = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = route?.methods[name];
    return route && operation && { operation, pointer: `${route.pointer}/${name}` };
  };
}

/** The document with closed objects: an undocumented field is a fault. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const { properties, additionalProperties } = copy as Schema & { additionalProperties?: unknown };
  const isObject = typeof properties === "object" && additionalProperties === undefined;
  return isObject && isSchema(copy) ? { ...copy, additionalProperties: false } : copy;
}

function isSchema(value: Record<string, unknown>): boolean {
  return [value.type].flat().includes("object");
}
