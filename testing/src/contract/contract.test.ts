import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenApiDocument, Schema } from "@daric/server/docs/openapi-document";
import { errorCatalog } from "@daric/server/domain/errors";
import { describe, expect, it } from "vitest";
import { brokenBy, withoutField } from "./broken-source.ts";
import { contractCodes } from "./codes.ts";
import { contractRows } from "./contract.ts";
import { contractResources, fieldsProof } from "./fields.ts";
import { contractOperations } from "./operations.ts";

const root = join(import.meta.dirname, "../../..");
const source = (file: string) => readFileSync(join(root, file), "utf8");
const document: OpenApiDocument = JSON.parse(source("sdk/openapi.json"));
const { schemas } = document.components;

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the table of the contract", () => {
  it("names existing tests", () => {
    const resourceTitles = Object.keys(contractResources).map((resource) => fieldsProof(resource)[1]);
    const missing = contractRows.filter(({ proof: [file, title] }) => {
      if (resourceTitles.includes(title)) return source(file) === "";
      return !['"', "`"].some((quote) => source(file).includes(quote + title + quote));
    });
    expect(missing.map(({ row, proof }) => [row, ...proof])).toEqual([]);
  });

  it("has exactly the operations of the OpenAPI document", () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(Object.keys(contractOperations).sort()).toEqual(names.sort());
  });

  it("has exactly the codes of the catalogue with their statuses", () => {
    const known = contractCodes.map(({ code, status }) => `${status} ${code}`);
    expect(known.sort()).toEqual(
      Object.entries(errorCatalog)
        .map(([code, { status }]) => `${status} ${code}`)
        .sort(),
    );
  });

  it("has every property of every component of the OpenAPI document", () => {
    const documented: Record<string, Set<string>> = {};
    for (const { component, within = "", fields } of Object.values(contractResources)) {
      const place = `${component ?? "inline"}.${within}`;
      documented[place] = new Set([...(documented[place] ?? []), ...Object.keys(fields)]);
    }
    const undocumented = Object.entries(schemas)
      .filter(([name]) => !ADDED.includes(name))
      .flatMap(([name, schema]) => [
        ...missingFrom(schema, documented[`${name}.`] ?? new Set()).map((property) => `${name}: ${property}`),
        ...["merchant", "order", "payment", "status", "data"].flatMap((part) => {
          const inner = schema.properties?.[part];
          if (inner?.properties === undefined) return [];
          const known = documented[`${name}.${part}`] ?? new Set<string>();
          return missingFrom(inner, known).map((property) => `${name}.${part}: ${property}`);
        }),
      ]);
    expect(undocumented).toEqual([]);
  });

  it("has every parameter of a query by its name", () => {
    const text = contractRows.map(({ row }) => row).join("\n");
    const names = operations.flatMap(({ parameters = [] }) =>
      parameters.filter(({ in: place }) => place === "query").map(({ name }) => name),
    );
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  it("breaks the code of every row but one", () => {
    const unbroken = contractRows.filter(({ mutations = [] }) => mutations.length === 0);
    // Both the counter of indexes and the tables' keys guard this row, so no single mutation breaks it.
    expect(unbroken.map(({ row }) => row)).toEqual(["an index is used once"]);
  });

  it("each mutation finds its source text exactly once", () => {
    const ofRows = contractRows.flatMap(({ mutations = [] }) => mutations);
    const ofFields = Object.values(contractResources).flatMap(({ fields }) => Object.entries(fields));
    expect([
      ...ofRows.flatMap((mutation) => faultOf(() => brokenBy(source(mutation.file), mutation))),
      ...ofFields.flatMap(([name, { source: at }]) => faultOf(() => withoutField(source(at.file), at, name))),
    ]).toEqual([]);
  });
});

/** Components outside the contract, which have their own tests. */
const ADDED = [
  "TestEvent",
  "SimulatedPayment",
  "Settlement",
  "SettlementDetail",
  "SettlementEvent",
  "Sweep",
  "SweepTransaction",
  "EventRow",
  "WebhookEndpointHealth",
  "SentAgain",
];

function missingFrom({ properties = {} }: Schema, known: ReadonlySet<string>): string[] {
  return Object.keys(properties).filter((name) => !known.has(name));
}

function faultOf(mutate: () => string): string[] {
  try {
    mutate();
    return [];
  } catch (error) {
    return [String(error)];
  }
}
