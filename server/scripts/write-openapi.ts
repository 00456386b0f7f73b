import { formatted, writeGenerated } from "../../lint/generated-file.ts";
import { contractSource } from "../../sdk/scripts/contract-source.ts";
import { makeOpenApiDocuments } from "./openapi-document.ts";

/** Objects with their keys in order, so that the same routes always make the same bytes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

const { api, dashboard } = await makeOpenApiDocuments();
const document = `${JSON.stringify(sorted(api), null, 2)}\n`;
await writeGenerated("sdk/openapi.json", document, process.argv);

// The pages read refusals by hand.
const { Error: _refusal, ...schemas } = (dashboard.components?.schemas ?? {}) as Record<string, unknown>;
const types = contractSource(
  sorted({ paths: dashboard.paths, components: { schemas } }) as Record<string, unknown>,
  {
    from: "the routes below /dashboard/v1",
    below: "/dashboard/v1/",
    name: "DashboardOperations",
  },
);
await writeGenerated(
  "dashboard/src/api/dashboard-contract.ts",
  formatted(types, "dashboard-contract.ts"),
  process.argv,
);
