import { fiatCurrencies } from "@daric/domain/fiat";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { createAnswerCheck } from "@daric/testing/answer-faults";
import { faultsOfEvent } from "@daric/testing/frozen-events";
import { createOfflineContext } from "@daric/testing/offline-context";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../src/app.ts";
import { describeApi, describeDashboard } from "./describe-routes.ts";
import { makeOpenApiDocuments } from "./make-documents.ts";
import { mapOperations, type OpenApiDocument, type Schema } from "./openapi-document.ts";
import { faultsOfDocument } from "./openapi-faults.ts";

let document: OpenApiDocument;

beforeAll(async () => {
  document = (await makeOpenApiDocuments()).api;
});

/** The document with a changed component. */
function withComponent(name: string, change: (schema: Schema) => Schema): OpenApiDocument {
  const { components } = document;
  const schema = change(components.schemas[name] ?? {});
  return { ...document, components: { ...components, schemas: { ...components.schemas, [name]: schema } } };
}

function withProperty(name: string, property: Schema): OpenApiDocument {
  return withComponent("Deposit", (schema) => ({
    ...schema,
    required: [...(schema.required ?? []), name],
    properties: { ...schema.properties, [name]: property },
  }));
}

describe("the check of the document", () => {
  it("finds nothing", () => {
    expect(faultsOfDocument(document)).toEqual([]);
  });

  it.each([
    ["no description", { type: "integer", examples: [1] }, "Deposit: tip_size has no description"],
    [
      "a description that repeats its name",
      { type: "string", examples: ["a"], description: "The tip size." },
      "Deposit: tip_size has a description that repeats its name",
    ],
    [
      "a number without a unit",
      { type: "integer", examples: [1], description: "How large the tip is." },
      "Deposit: tip_size says no unit",
    ],
    [
      "a time without its form",
      { type: "string", format: "date-time", examples: ["x"], description: "When it was tipped." },
      "Deposit: tip_size says no unit",
    ],
    [
      "no example",
      { type: "string", description: "The payer's remark on the service." },
      "GET /v1/deposits/{id} answers with tip_size, which has no example",
    ],
  ])("finds a property with %s, and its place", (_, property, fault) => {
    const faults = faultsOfDocument(withProperty("tip_size", property));
    expect(faults.join("\n")).toContain(fault);
  });

  it("finds an operation without a name, a description, a known tag, samples or codes", () => {
    const bare = mapOperations(document, ({ responses }) => ({
      responses: { 422: { ...responses["422"], description: "It was wrong." } },
    }));
    const faults = faultsOfDocument(bare).filter((fault) => fault.startsWith("GET /v1/deposits "));
    for (const fault of [
      "has no operationId",
      "has no summary",
      "has no description",
      "is not of exactly one tag",
      "has no samples",
      "answers 422 with no code",
    ])
      expect(faults.join("\n")).toContain(fault);
  });

  it("finds a body without an example, and a parameter without a description", () => {
    const bare = mapOperations(document, ({ requestBody, parameters, ...operation }) => ({
      ...operation,
      ...(parameters && { parameters: parameters.map(({ description: _, ...parameter }) => parameter) }),
      ...(requestBody && { requestBody: { content: { "application/json": { schema: {} } } } }),
    }));
    const faults = faultsOfDocument(bare).join("\n");
    expect(faults).toContain("POST /v1/deposit-addresses has a body without an example");
    expect(faults).toContain("GET /v1/deposits, parameter txHash, has no description");
  });
});

describe("the document's examples", () => {
  it("are valid answers, for each success and each code but for a file", {
    timeout: 60_000,
  }, () => {
    const check = createAnswerCheck(document);
    const files: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId = "", responses }] of Object.entries(methods)) {
        for (const [status, { content }] of Object.entries(responses)) {
          const isFile = Object.keys(content?.["application/json"].schema ?? { type: "object" }).length === 0;
          if (isFile) files.push(`${operationId} ${status}`);
          if (status === "304" || isFile) continue;
          const { example, examples = {} } = content?.["application/json"] ?? {};
          const bodies =
            example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
          expect(bodies.length, `${method} ${path} ${status}`).toBeGreaterThan(0);
          for (const body of bodies) {
            const answer = {
              method,
              path: path.replace(/\{\w+\}/, "x"),
              status: Number(status),
              headers: {},
            };
            expect(check({ ...answer, body: JSON.stringify(body) })).toEqual([]);
          }
        }
      }
    }
    expect(files.sort()).toEqual([
      "downloadReceipt 200",
      "exportFees 200",
      "exportJournal 200",
      "exportPayments 200",
      "exportRefunds 200",
      "exportSettlements 200",
    ]);
  });

  it("include every event, each with a body of its type", () => {
    expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...webhookEventTypes].sort());
    for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
      const body = post.requestBody?.content["application/json"].examples?.[type]?.value;
      expect(body, type).toMatchObject({ event: type, apiVersion: "v1" });
      expect(faultsOfEvent(type, body), type).toEqual([]);
    }
  });

  it("mark a body as optional exactly if an empty one is valid", () => {
    const required = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, requestBody }) =>
        requestBody === undefined ? [] : [[operationId, requestBody.required === true]],
      ),
    );
    expect(Object.fromEntries(required)).toEqual({
      createDepositAddress: false,
      acceptDepositAddress: false,
      askForRefund: false,
      askForRefundAddressAgain: false,
      confirmRefund: false,
      confirmRefundTransaction: true,
      recoverWebhookEndpoint: true,
      resendWebhookDeliveries: false,
      extendDepositAddress: true,
      simulatePayment: true,
      simulateRefund: true,
      claimRefund: true,
      lookUpCheckoutTransaction: true,
      simulateCheckoutPayment: true,
      createWebhookEndpoint: true,
      updateWebhookEndpoint: true,
      rotateWebhookSecret: false,
      createPaymentLink: true,
      updatePaymentLink: false,
      createLinkOrder: false,
      connectShop: true,
    });
  });

  it("say of what no key may do that a role needs the right", () => {
    const described = (path: string) => document.paths[path]?.post?.description;
    for (const act of ["confirm", "pay", "transaction"])
      expect(described(`/v1/refunds/{id}/${act}`)).toContain("The role needs the right `refunds:pay`.");
    expect(described("/v1/refunds/{id}/cancel")).toContain("The key needs the scope `refunds:write`.");
  });

  it("state the form of an id filter, the length of metadata keys, and the last page", () => {
    const { get, post } = document.paths["/v1/deposit-addresses"] ?? {};
    const sent = post?.requestBody?.content["application/json"].schema.properties;
    expect(sent?.apiKeyId).toMatchObject({ type: "string", format: "uuid" });
    expect(sent?.metadata).toMatchObject({ propertyNames: { type: "string", minLength: 1, maxLength: 40 } });
    const pages = get?.parameters?.filter(({ name }) => name === "page" || name === "limit");
    expect(pages?.map(({ schema }) => schema)).toMatchObject([
      { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { minimum: 1, maximum: 100 },
    ]);
    expect(document.components.schemas.Deposit?.properties?.confirmations).not.toHaveProperty("maximum");
  });

  it("express null by the type", () => {
    expect(JSON.stringify(document)).not.toContain('{"type":"null"}');
    expect(document.components.schemas.Deposit?.properties?.confirmed_at?.type).toEqual(["string", "null"]);
    const body =
      document.paths["/v1/deposit-addresses"]?.post?.requestBody?.content["application/json"].schema;
    // With a list of types beside the values, client generators make three types of one.
    for (const [name, values] of [
      ["chain", ["tron", null]],
      ["currency", ["USDT", "TRX", null]],
      ["pricingCurrency", [...fiatCurrencies, "USDT", null]],
    ] as const) {
      expect(body?.properties?.[name]).toMatchObject({ enum: values });
      expect(body?.properties?.[name]).not.toHaveProperty("type");
    }
  });

  it("state the form of every amount", () => {
    const { pattern } = document.components.schemas.Deposit?.properties?.amount ?? {};
    expect("25.5").toMatch(new RegExp(pattern ?? "^$"));
    expect("1e3").not.toMatch(new RegExp(pattern ?? "^$"));
  });
});

describe("the check of answers", () => {
  const answer = { method: "GET", path: "/v1/deposits/x", status: 404, headers: {} };
  const refused = { success: false, message: "No.", error: { code: "NOT_FOUND" }, correlationId: "c" };

  it.each([
    ["an undocumented status", { status: 418 }, refused, "the status 418 is not documented"],
    ["an extra field", {}, { ...refused, extra: 1 }, "additional properties"],
    ["a missing field", {}, { ...refused, correlationId: undefined }, "correlationId"],
    [
      "a code of another operation",
      {},
      { ...refused, error: { code: "RATE_UNAVAILABLE" } },
      "RATE_UNAVAILABLE is not documented",
    ],
    [
      "a header outside its schema",
      { headers: { "x-correlation-id": "é" } },
      refused,
      "header x-correlation-id",
    ],
    ["what is no JSON", {}, undefined, "must be object"],
  ])("finds %s", (_, change, body, fault) => {
    const example = { ...refused, error: { code: "NOT_FOUND" } };
    const check = createAnswerCheck(document);
    expect(
      check({ ...answer, body: JSON.stringify(example) }).filter((fault) => !fault.includes("docUrl")),
    ).toEqual([]);
    expect(check({ ...answer, ...change, body: JSON.stringify(body) ?? "nonsense" }).join("\n")).toContain(
      fault,
    );
  });
});

it("a route without an operationId stops the build", async () => {
  const nameless = createApp(createOfflineContext(), {
    describe: { api: describeApi, dashboard: describeDashboard },
  });
  nameless.register(async (scope) => {
    scope.get("/v1/nameless", { schema: { response: { 200: z.string() } } }, async () => "hello");
  });
  await expect(nameless.ready()).rejects.toThrow("GET /v1/nameless has no operationId");
  await nameless.close();
});

it("only a devnet has the operations of test cases", async () => {
  const { api } = await makeOpenApiDocuments("mainnet");
  const left = Object.keys(document.paths).filter((path) => !(path in api.paths));
  expect(left).toEqual([
    "/v1/checkout/{token}/simulate",
    "/v1/test/refunds/{id}/simulate",
    "/v1/test/deposit-addresses/{id}/simulate",
  ]);
});
