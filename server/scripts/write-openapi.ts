import { writeGenerated } from "./generated-file.ts";
import { makeOpenApiDocument } from "./openapi-document.ts";

/** Objects with their keys in order, so that the same routes always make the same bytes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

const document = `${JSON.stringify(sorted(await makeOpenApiDocument()), null, 2)}\n`;
await writeGenerated("sdk/openapi.json", document, process.argv);
