import { mapValues, type NamedExamples, type OpenApiDocument, type Parameter } from "./openapi-document.ts";

type EventDescription = {
  readonly summary: string;
  /** when it is sent, and the receiver's action */
  readonly description: string;
  /** the component of its body */
  readonly schema: string;
  /** a real body */
  readonly example: unknown;
};

/** The webhooks: events by name, and their common headers. */
export type WebhookDescription = {
  readonly tag: string;
  readonly events: Readonly<Record<string, EventDescription>>;
  readonly headers: Readonly<
    Record<string, { description: string; example: string; pattern: string; required: boolean }>
  >;
};

/** Adds a section about the webhook events. */
export function addWebhooks(
  document: OpenApiDocument,
  { tag, events, headers }: WebhookDescription,
): OpenApiDocument {
  const parameters: Parameter[] = Object.entries(headers).map(
    ([name, { description, example, pattern, required }]) => ({
      name,
      in: "header",
      required,
      description,
      example,
      schema: { type: "string", pattern },
    }),
  );
  const webhooks = mapValues(events, ({ summary, description, schema, example }, name) => ({
    post: {
      operationId: operationIdOf(name),
      summary,
      description,
      tags: [tag],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: { [name]: { summary, value: example } } satisfies NamedExamples,
          },
        },
      },
      responses: {
        "2XX": { description: "Received. Answer within 15 seconds, and do the work afterwards." },
        "4XX": { description: "Not accepted: it is sent again, 12 times in about 3 days." },
        "5XX": { description: "Not accepted: it is sent again, 12 times in about 3 days." },
      },
    },
  }));
  return { ...document, webhooks };
}

/** `order.paid_late` as `onOrderPaidLate`. */
function operationIdOf(name: string): string {
  const parts = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${parts.join("")}`;
}
