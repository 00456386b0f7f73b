import { docPathOf } from "@daric/domain/error-guide";
import { ApiError, type ApiErrorCode, type ErrorDetail, errorCatalog } from "@daric/domain/errors";
import { refused } from "@daric/http/envelope";
import {
  type DocumentedOperation,
  mapOperations,
  mapValues,
  type NamedExamples,
  type OpenApiDocument,
  type Response,
  type Schema,
} from "./openapi-document.ts";

const CORRELATION_ID = "1f0e4b0a-4f5c-4a55-9b6a-0d4d4f1f6a3e";
const CODE = /\b[A-Z]{2}[A-Z_]*\b/g;

/** Adds an example to every answer: of a success from its properties, of a refusal one per code. */
export function addAnswerExamples(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  return mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response, status) => {
      if (response.content === undefined) return response;
      const media = response.content["application/json"];
      const shown = status.startsWith("2")
        ? { example: exampleOf(media.schema, schemas) }
        : { examples: refusalExamples(operation, { status, response }) };
      return { ...response, content: { "application/json": { ...media, ...shown } } };
    }),
  }));
}

/** The codes in a refusal's description that have its status. */
export function codesOf({ description }: Pick<Response, "description">, status: string): ApiErrorCode[] {
  const named = [...description.matchAll(CODE)].map(([code]) => code);
  return [...new Set(named.filter(isCode))].filter((code) => String(errorCatalog[code].status) === status);
}

function isCode(text: string): text is ApiErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

function refusalExamples(
  operation: DocumentedOperation,
  { status, response }: { status: string; response: Response },
): NamedExamples {
  const codes = codesOf(response, status).map((code) => {
    const details = code === "VALIDATION_ERROR" ? [faultOf(operation)] : [];
    const summary = errorCatalog[code].message;
    return [
      code,
      {
        summary,
        value: refused(new ApiError(code, { details }), {
          docUrl: docPathOf(code),
          correlationId: CORRELATION_ID,
          isOfPerson: false,
        }),
      },
    ] as const;
  });
  return Object.fromEntries(codes);
}

/** A possible fault of this operation: in its body, else in its query. */
function faultOf({ requestBody, parameters = [] }: DocumentedOperation): ErrorDetail {
  const fields = Object.entries(requestBody?.content["application/json"].schema.properties ?? {});
  const text = fields.find(([, { type, enum: values }]) => [type].flat().includes("string") && !values);
  if (text !== undefined) return { path: text[0], message: "must be a string" };
  const [field] = fields;
  if (field !== undefined) return { path: field[0], message: "is required" };
  const query = parameters.find((parameter) => parameter.in === "query");
  return { path: query?.name ?? "page", message: "must be given once" };
}

/**
 * Builds an example from the examples of the schema's properties; undefined if one is missing. Optional
 * properties without an example are left out.
 */
function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined) return exampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  if (schema.properties !== undefined) {
    return mapValues(schema.properties, (property) => exampleOf(property, schemas));
  }
  if (schema.items !== undefined) {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  const [value] = schema.enum ?? [];
  return value ?? (schema.type === "boolean" ? false : undefined);
}

/** The name of the referenced component. */
export function nameOf(ref: string): string {
  return ref.slice("#/components/schemas/".length);
}
