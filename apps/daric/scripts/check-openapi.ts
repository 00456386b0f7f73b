import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { OpenApiDocument } from "./openapi/openapi-document.ts";
import { faultsOfDocument } from "./openapi/openapi-faults.ts";

/*
 * Fails where the OpenAPI document leaves something unsaid, or breaks one of the rules that Redocly recommends. Only the
 * file is read, which `check:generated` compares with the sources: nothing is asked of a network.
 */
const source = readFileSync(new URL("../../../clients/typescript/openapi.json", import.meta.url), "utf8");
const document = JSON.parse(source) as OpenApiDocument;
const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source, config });
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
