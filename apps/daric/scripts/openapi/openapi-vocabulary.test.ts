import { expect, it } from "vitest";
import type { OpenApiDocument, Schema } from "./openapi-document.ts";
import { applyVocabulary } from "./openapi-vocabulary.ts";

const vocabulary = {
  meanings: {
    id: "The id of the row.",
    "things.id": "The id of the thing.",
    order_ref: "A reference.",
    "Thing.status": "How the thing is.",
    status: "How it is.",
  },
  examples: { id: "1", order_ref: "A-1", "Thing.status": "red", status: "on", from: null },
};

function describeThing(properties: Record<string, Schema>) {
  const document = {
    paths: {
      "/v1/things/{id}": {
        get: {
          operationId: "retrieveThing",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            200: { description: "ok", content: { "application/json": { schema: { properties } } } },
          },
        },
      },
    },
    components: { schemas: { Thing: { type: "object", properties } } },
  } as unknown as OpenApiDocument;
  const described = applyVocabulary(document, vocabulary);
  const operation = described.paths["/v1/things/{id}"]?.get;
  return {
    parameter: operation?.parameters?.[0],
    answer: operation?.responses["200"]?.content?.["application/json"].schema.properties,
    thing: described.components.schemas.Thing?.properties,
  };
}

it("a name has the same meaning in each spelling", () => {
  const { thing } = describeThing({ order_ref: { type: "string" }, orderRef: { type: "string" } });
  expect(thing?.order_ref).toEqual({ type: "string", description: "A reference.", examples: ["A-1"] });
  expect(thing?.orderRef).toEqual(thing?.order_ref);
});

it("a place may have another meaning, and a schema's own description wins", () => {
  const status = { type: "string" };
  const { parameter, answer, thing } = describeThing({
    status,
    id: { type: "string", description: "Its own." },
  });
  expect(thing?.status).toMatchObject({ description: "How the thing is.", examples: ["red"] });
  expect(answer?.status).toMatchObject({ description: "How it is.", examples: ["on"] });
  expect(thing?.id).toMatchObject({ description: "Its own." });
  expect(parameter).toMatchObject({ description: "The id of the thing.", example: "1" });
});

it("an example outside its schema is left out", () => {
  const { thing } = describeThing({
    status: { type: "string", enum: ["green"] },
    from: { type: "string" },
    unknown: { type: "string" },
  });
  expect(thing).toEqual({
    status: { type: "string", enum: ["green"], description: "How the thing is." },
    from: { type: "string" },
    unknown: { type: "string" },
  });
});

it("properties are described at any depth", () => {
  const { thing } = describeThing({
    list: { type: "array", items: { properties: { order_ref: { type: "string" } } } },
  });
  expect(thing?.list?.items?.properties?.order_ref?.description).toBe("A reference.");
});
