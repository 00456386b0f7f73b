import { currencies } from "@daric/domain/asset";
import type { OpenApiDocument } from "../openapi/openapi-document.ts";
import { plainPathOf } from "./html.ts";
import type { Guide } from "./markdown.ts";
import { operationsOf } from "./operations.ts";

/** The subjects of the guides for a merchant's engineer; the other guides are linked and not repeated. */
const REPEATED = [
  "choose",
  "start",
  "calling",
  "life-of-an-order",
  "once",
  "prices",
  "webhooks",
  "testing",
  "going-live",
];

/** The documentation for a language model: what there is with a link to each, then the essential guides as text. */
export function llmsText(guides: readonly Guide[], document: OpenApiDocument): string {
  const guideLines = guides.map(
    ({ name, title, lead }) => `- [${title}](${plainPathOf(`/docs/${name}`)}): ${lead}`,
  );
  const operationLines = operationsOf(document).map(
    ({ method, path, href, name }) => `- [${method.toUpperCase()} ${path}](${plainPathOf(href)}): ${name}`,
  );
  const texts = guides.filter(({ name }) => REPEATED.includes(name)).map(({ markdown }) => markdown.trim());
  return `# Daric

> Accept ${currencies.join(" and ")} on TRON: one call makes an order with a page where the customer pays, and a signed webhook says when the
> money is final. Amounts are decimal strings. Requests are in camelCase, answers in snake_case. The key goes in X-Api-Key.
> Every page of /docs is here as Markdown: its address, then .md.

## Guides

${guideLines.join("\n")}

## Operations

${operationLines.join("\n")}

## Reference

- [OpenAPI 3.1](/openapi.json): the whole contract, with examples and the payload of every event
- [Errors](/docs/errors.md): every code with its cause and its cure
- [Events](/docs/events.md): what is sent to your endpoints
- [Objects](/docs/objects.md): what answers and events hold

---

${texts.join("\n\n---\n\n")}
`;
}
