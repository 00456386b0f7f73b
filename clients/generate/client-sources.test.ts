import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientSources } from "./client-sources.ts";
import { contractModel } from "./contract-model.ts";

const ROOT = new URL("../../", import.meta.url);
const text = readFileSync(new URL("clients/typescript/openapi.json", ROOT), "utf8");
const LANGUAGES = ["python", "php", "go"];

// biome-ignore lint/suspicious/noExplicitAny: each mutation reaches into the document at another place
type Document = any;

const read = (): Document => JSON.parse(text);
const sources = clientSources(read());
const filesOf = (language: string) => Object.keys(sources).filter((path) => path.includes(`/${language}/`));

it.each(Object.keys(sources))("%s is what the contract says", (path) => {
  expect(readFileSync(new URL(path, ROOT), "utf8")).toBe(sources[path]);
});

/** Changes of the contract that a client must follow. */
const mutations: [title: string, mutate: (document: Document) => void][] = [
  ["an operation is removed", ({ paths }) => delete paths["/v1/deposit-addresses/{id}/rest"].post],
  ["an operation gets another path", ({ paths }) => rename(paths, "/v1/refunds/{id}", "/v1/returns/{id}")],
  ["an operation gets another name", ({ paths }) => (paths["/v1/deposits"].get.operationId = "listPayments")],
  ["an operation needs a key", ({ paths }) => (paths["/v1/currencies"].get.security = [{ ApiKey: [] }])],
  [
    "a field of a row is renamed",
    ({ components }) => rename(fieldsOf(components, "Deposit"), "amount", "sum"),
  ],
  [
    "money becomes a number",
    ({ components }) => (fieldsOf(components, "Deposit").amount = { type: "number" }),
  ],
  [
    "a field of a row may be null",
    ({ components }) => (fieldsOf(components, "Deposit").id.type = ["string", "null"]),
  ],
  [
    "a field of an event is added",
    ({ components }) => (fieldsOf(components, "RefundEvent").data.properties.payer = { type: "string" }),
  ],
  ["an event is added", ({ webhooks }) => (webhooks["refund.failed"] = webhooks["refund.ready"])],
  [
    "a body needs a field",
    ({ paths }) => (bodyOf(paths, "/v1/payment-links").required = ["title", "amount"]),
  ],
  [
    "a body gets a field",
    ({ paths }) => (bodyOf(paths, "/v1/deposit-addresses").properties.memo = { type: "string" }),
  ],
  [
    "a list gets a filter",
    ({ paths }) =>
      paths["/v1/deposits"].get.parameters.push({ in: "query", name: "memo", schema: { type: "string" } }),
  ],
];

function rename(object: Document, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

function fieldsOf(components: Document, name: string): Document {
  return components.schemas[name].properties;
}

function bodyOf(paths: Document, path: string): Document {
  return paths[path].post.requestBody.content["application/json"].schema;
}

describe.each(mutations)("if %s", (_, mutate) => {
  const document = read();
  mutate(document);
  const changed = clientSources(document);

  it.each(LANGUAGES)("the check fails for the client of %s", (language) => {
    expect(filesOf(language).filter((path) => changed[path] !== sources[path])).not.toEqual([]);
  });
});

it("a download is a file, with its formats; what is also to be had as a file is a call of each", () => {
  const { calls } = contractModel(read());
  const factsOf = (id: string) => {
    const { kind, query } = calls.find((call) => call.id === id) ?? { query: [] };
    const { shape, isRequired } = query.find(({ name }) => name === "format") ?? {};
    return [kind, shape, isRequired];
  };
  const formats = (...values: string[]) => ({ kind: "enum", values });
  expect(factsOf("exportPayments")).toEqual(["file", formats("csv", "xlsx", "json"), false]);
  expect(factsOf("retrieveStatement")).toEqual(["row", undefined, undefined]);
  expect(factsOf("downloadStatement")).toEqual(["file", formats("csv", "xlsx", "pdf"), true]);
});

it("a person's operations are in no client, since a key may not call them", () => {
  const ids = contractModel(read()).calls.map(({ id }) => id);
  expect(ids).toContain("askForRefund");
  expect(ids.filter((id) => /^(confirm|pay)Refund/.test(id))).toEqual([]);
});

it.each([
  [{ type: ["string", "integer"] }, "a value of two types"],
  [{ not: {} }, "cannot tell the type"],
])("a schema %j that no client can express fails with its place", (schema, fault) => {
  const document = read();
  fieldsOf(document.components, "Deposit").odd = schema;
  expect(() => clientSources(document)).toThrow(`DepositOdd: ${fault}`);
});
