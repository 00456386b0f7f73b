import { createConfig, lintFromString } from "@redocly/openapi-core";
import { makeOpenApiDocuments } from "./openapi-document.ts";
import { faultsOfDocument } from "./openapi-faults.ts";

/*
 * Fails where the OpenAPI document leaves something unsaid, or breaks one of the rules that Redocly recommends. Only the
 * text is looked at: nothing is asked of a network.
 */
const { api: document } = await makeOpenApiDocuments();
const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source: JSON.stringify(document), config });
const faults = [
  ...faultsOfDocument(document),
  ...problems.map(
    ({ ruleId, message, location: [place] = [] }) => `${place?.pointer ?? ""} ${message} (${ruleId})`,
  ),
];
if (faults.length > 0) process.exitCode = 1;
process.stdout.write(
  faults.map((fault) => `${fault}\n`).join("") ||
    "the OpenAPI document says what it has to, and says it well\n",
);
