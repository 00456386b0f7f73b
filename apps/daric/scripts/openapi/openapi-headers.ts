import {
  type DocumentedOperation,
  mapOperations,
  mapValues,
  type OpenApiDocument,
} from "./openapi-document.ts";

const seconds = { type: "integer", minimum: 0 };
const counted = { type: "integer", minimum: 0 };

/** Every header that a caller may use, by its name on the wire. */
const headers = {
  "x-correlation-id": {
    description: "The id of the request, from the caller or new; characters unfit for a header are `_`.",
    schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[ -~]+$" },
    example: "1f0e4b0a-4f5c-4a55-9b6a-0d4d4f1f6a3e",
  },
  "retry-after": {
    description: "Seconds to wait before the request is worth sending again. Absent if waiting cannot help.",
    schema: seconds,
    example: 1,
  },
  "ratelimit-limit": {
    description: "Number of requests that may be sent at once before waiting is needed.",
    schema: counted,
    example: 40,
  },
  "ratelimit-remaining": {
    description: "Number of requests that may be sent now.",
    schema: counted,
    example: 39,
  },
  "ratelimit-reset": {
    description: "Number of seconds until `RateLimit-Remaining` is `RateLimit-Limit` again.",
    schema: seconds,
    example: 1,
  },
  etag: {
    description: "The version of this answer, for If-None-Match of the next request.",
    schema: { type: "string", pattern: '^"[!-~]+"$' },
    example: '"xAiMCPeVW9xgHbLfJHUDRYFA6RTj4cRCDKCI2FZMGDM"',
  },
  "x-ignored-fields": {
    description:
      "Ignored names of the body, or of the query of a write, each with the nearest known name: `order_ref->orderRef, foo`. " +
      "Percent-encoded; at most 10 names and 500 bytes. Absent if nothing was ignored.",
    schema: { type: "string", maxLength: 500 },
    example: "order_ref->orderRef, foo",
  },
} as const;

type HeaderName = keyof typeof headers;

const rateLimit: readonly HeaderName[] = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
/** Refused before a budget applies, or without one. */
const unlimited = new Set(["400", "401", "403", "413", "415", "500"]);

/** Adds the possible headers to each answer of each operation. */
export function addAnswerHeaders(document: OpenApiDocument): OpenApiDocument {
  const withHeaders = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response, status) => ({
      ...response,
      headers: Object.fromEntries(
        headersOf(operation, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
    })),
  }));
  return { ...withHeaders, components: { ...withHeaders.components, headers } };
}

function headersOf(
  { requestBody, parameters = [], security = [], responses }: DocumentedOperation,
  status: string,
): HeaderName[] {
  const isRefusal = Number(status) >= 400;
  const isCounted = security.length > 0 || status === "429";
  const hasNames = requestBody !== undefined || parameters.some(({ in: place }) => place === "query");
  return [
    "x-correlation-id",
    ...(status === "429" || status === "503" ? (["retry-after"] as const) : []),
    ...("304" in responses && !isRefusal ? (["etag"] as const) : []),
    ...(unlimited.has(status) || !isCounted ? [] : rateLimit),
    ...(!hasNames || isRefusal ? [] : (["x-ignored-fields"] as const)),
  ];
}
