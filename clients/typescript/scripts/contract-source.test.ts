import { describe, expect, it } from "vitest";
import { contractSource } from "./contract-source.ts";

const flat = (text: string) => text.replace(/\s+/g, " ");
const typed = (schema: object) =>
  flat(contractSource({ paths: {}, components: { schemas: { Thing: schema } } }));
const answering = (data: object) => ({
  200: { content: { "application/json": { schema: { properties: { data } } } } },
});
const operation = (item: object, path = "/v1/things/{id}") =>
  flat(contractSource({ paths: { [path]: item }, components: { schemas: {} } }));

describe("a schema", () => {
  it.each([
    [{ type: "string", format: "date-time" }, "string"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "integer" }, "number"],
    [{ const: "tron", type: "string" }, '"tron"'],
    [{ enum: ["a", "b"], type: "string" }, '"a" | "b"'],
    [{ anyOf: [{ enum: ["a"] }, { type: "null" }] }, '"a" | null'],
    [{ oneOf: [{ $ref: "#/components/schemas/Other" }, { type: "null" }] }, "Other | null"],
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ allOf: [{ $ref: "#/x/A" }, { type: "object", properties: {} }] }, "A & (Record<string, unknown>)"],
    [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
    [{ type: "object" }, "Record<string, unknown>"],
  ])("%j is %s", (schema, type) => {
    expect(typed(schema)).toContain(`export type Thing = ${type};`);
  });

  it("has its properties with their descriptions, and marks optional ones", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string", description: "Whose */ it is." }, "a-b": { type: "boolean" } },
    };
    expect(typed(schema)).toContain('{ /** Whose * / it is. */ id: string; "a-b"?: boolean; }');
  });

  it("that is not supported fails with its place", () => {
    const schema = { type: "object", properties: { odd: { not: {} } } };
    expect(() => typed(schema)).toThrow("Thing.odd: cannot tell the type");
  });

  it("named Error does not hide JavaScript's", () => {
    const document = { paths: {}, components: { schemas: { Error: { type: "object" } } } };
    expect(contractSource(document)).toContain("export type ErrorBody =");
  });
});

describe("an operation", () => {
  it("has its input and output, and allows undefined in a body", () => {
    const body = { type: "object", properties: { reason: { type: "string" } } };
    const post = {
      summary: "Accept it",
      parameters: [
        { in: "path", name: "id", required: true, schema: { type: "string" } },
        { in: "query", name: "page", schema: { type: "integer" } },
      ],
      requestBody: { content: { "application/json": { schema: body } } },
      responses: answering({ type: "array", items: { $ref: "#/components/schemas/Thing" } }),
    };
    expect(operation({ post })).toContain(
      '/** Accept it */ "POST /v1/things/{id}": { path: { id: string; }; query: { page?: number | undefined; }; ' +
        "body: { reason?: string | undefined; }; answer: Thing[]; };",
    );
  });

  it("is no part of the API outside /v1 or without JSON", () => {
    const responses = answering({ type: "string" });
    expect(operation({ get: { responses } }, "/healthz")).not.toContain("/healthz");
    expect(operation({ get: { responses: { 200: { content: { "text/html": {} } } } } })).not.toContain("GET");
  });

  it("whose answer is a file is a download with its input", () => {
    const get = {
      summary: "Download it",
      parameters: [{ in: "query", name: "format", schema: { enum: ["csv", "pdf"] } }],
      responses: { 200: { content: { "application/json": { schema: {} } } } },
    };
    expect(operation({ get })).toContain(
      'export type Downloads = { /** Download it */ "GET /v1/things/{id}": ' +
        '{ path: undefined; query: { format?: "csv" | "pdf" | undefined; }; }; };',
    );
  });

  it("whose answer has no envelope fails by name", () => {
    const responses = { 200: { content: { "application/json": { schema: { type: "object" } } } } };
    expect(() => operation({ get: { responses } })).toThrow("GET /v1/things/{id}: the answer has no data");
  });
});

it("webhooks have their bodies by the name of the event", () => {
  const schema = { $ref: "#/components/schemas/OrderEvent" };
  const post = { summary: "It is paid", requestBody: { content: { "application/json": { schema } } } };
  const document = { paths: {}, components: { schemas: {} }, webhooks: { "order.paid": { post } } };
  expect(flat(contractSource(document))).toContain(
    'export type WebhookBodies = { /** It is paid */ "order.paid": OrderEvent; };',
  );
});
