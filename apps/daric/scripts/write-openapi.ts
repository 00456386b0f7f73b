import { contractSource } from "../../../clients/typescript/scripts/contract-source.ts";
import { formatted, writeGenerated } from "../../../lint/generated-file.ts";
import { inOrder, makeOpenApiDocuments } from "./openapi/make-documents.ts";

const { api, dashboard } = await makeOpenApiDocuments();
const document = `${JSON.stringify(inOrder(api), null, 2)}\n`;
await writeGenerated("clients/typescript/openapi.json", document, process.argv);

// The pages read refusals by hand.
const { Error: _refusal, ...schemas } = (dashboard.components?.schemas ?? {}) as Record<string, unknown>;
const types = contractSource(
  inOrder({ paths: dashboard.paths, components: { schemas } }) as Record<string, unknown>,
  {
    from: "the routes below /dashboard/v1",
    below: "/dashboard/v1/",
    name: "DashboardOperations",
  },
);
await writeGenerated(
  "web/dashboard/src/api/dashboard-contract.ts",
  formatted(types, "dashboard-contract.ts"),
  process.argv,
);
