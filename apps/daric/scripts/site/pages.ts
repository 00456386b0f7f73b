import { currencies } from "@daric/domain/asset";
import { errorGuide } from "@daric/domain/error-guide";
import { errorCatalog } from "@daric/domain/errors";
import type { OpenApiDocument } from "../openapi/openapi-document.ts";
import { asMarkup, jsonBlock, kebab } from "./html.ts";
import type { SitePage } from "./layout.ts";
import { type Guide, inline } from "./markdown.ts";
import { methodAndPath, operationsOf } from "./operations.ts";
import { entry, propertyList } from "./schemas.ts";

/** The first page: what there is, with a line about each. */
export function indexPage(guides: readonly Guide[], document: OpenApiDocument): SitePage {
  const lines = guides.map(
    ({ name, title, lead }) =>
      `<li><a href="/docs/${name}"><strong>${asMarkup(title)}</strong></a><span>${asMarkup(lead)}</span></li>`,
  );
  const body = `<h1>Accept ${currencies.join(" and ")}</h1>
<p class="lead">One call makes an order with a page where your customer pays. Daric watches the chain, and tells your server by a
signed webhook when the money is final. From your own host, without a middleman.</p>
<p class="actions"><a class="button" href="/docs/start">Start: a first payment</a>
<a href="/docs/api">Every operation</a> <a href="/openapi.json">OpenAPI 3.1</a> <a href="/llms.txt">llms.txt</a></p>
<h2 id="guides">Guides</h2>
<ul class="cards">${lines.join("\n")}</ul>
<h2 id="reference">Reference</h2>
${operationTables(document)}
<p>What is sent to you: <a href="/docs/events">events</a>. What an answer holds: <a href="/docs/objects">objects</a>. What may be
refused: <a href="/docs/errors">errors</a>.</p>`;
  return { path: "/docs", title: "Daric documentation", body };
}

/** Every operation by the group that it is in. */
export function operationsPage(document: OpenApiDocument): SitePage {
  const body = `<h1>Every operation</h1>
<p class="lead">Requests and answers are JSON. Every path begins with <code>/v1</code>. Money is a decimal string, never a number.</p>
${operationTables(document)}
<p>The same for machines: <a href="/openapi.json">openapi.json</a>.</p>`;
  return { path: "/docs/api", title: "Every operation", body };
}

function operationTables(document: OpenApiDocument): string {
  const all = operationsOf(document);
  const groups = document.tags.map(({ name, description }) => {
    const rows = all
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(
        (placed) => `<li><a href="${placed.href}">${asMarkup(placed.name)}</a>${methodAndPath(placed)}</li>`,
      );
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return `<h3 id="${kebab(name)}">${asMarkup(title)}</h3><p>${inline(description)}</p><ul class="operations">${rows.join("\n")}</ul>`;
  });
  return groups.join("\n");
}

/** Every code with its cause and its cure, where `error.docUrl` of a refusal leads. */
export function errorsPage(): SitePage {
  const codes = Object.keys(errorCatalog) as (keyof typeof errorCatalog)[];
  const list = codes.map((code) => {
    const { status, message } = errorCatalog[code];
    const { cause, cure } = errorGuide[code];
    const id = kebab(code);
    return `<section class="error"><h2 id="${id}"><code>${code}</code> <span class="status">${status}</span> <a class="anchor" href="#${id}" aria-label="Link to: ${code}">#</a></h2>
<p class="said">${inline(message)}</p>
<p><strong>Cause.</strong> ${inline(cause)}</p>
<p><strong>Cure.</strong> ${inline(cure)}</p></section>`;
  });
  const example = {
    success: false,
    message: 'amount must be a string in quotes: "25.5"',
    error: {
      code: "VALIDATION_ERROR",
      details: [{ path: "amount", message: 'must be a string in quotes: "25.5"' }],
      docUrl: "/docs/errors#validation-error",
    },
    correlationId: "1f0e4b0a-4f5c-4a55-9b6a-0d4d4f1f6a3e",
  };
  const links = codes.map((code) => `<a href="#${kebab(code)}"><code>${code}</code></a>`);
  const body = `<h1>Errors</h1>
<p class="lead">Every refusal has one shape. Decide by <code>error.code</code>; the words of <code>message</code> may change.</p>
${jsonBlock(example, "A refusal")}
<p>Of fields that are not valid <code>message</code> says the first fault and how many more there are; <code>details</code> names
every failing field at once. <code>error.docUrl</code> leads to a code on this page. Tell the operator the
<code>correlationId</code>: it stands in the log of the service. After 429 and 503 wait for the seconds in <code>Retry-After</code>.</p>
<p>The answer names the first fault in this order: 413, 415, 400, 401, 403, 429, 503 under overload, 404 of the id in the path,
422.</p>
<p class="codes">${links.join(" ")}</p>
${list.join("\n")}`;
  return { path: "/docs/errors", title: "Errors", body };
}

/** Every event with a payload as it is sent. */
export function eventsPage({ webhooks = {} }: OpenApiDocument): SitePage {
  const [any] = Object.values(webhooks);
  const headers = (any?.post.parameters ?? []).map(({ name, description = "", required = false }) =>
    entry(name, { type: "string", description }, required),
  );
  const list = Object.entries(webhooks).map(([name, { post }]) => {
    const { schema, examples = {} } = post.requestBody?.content["application/json"] ?? { schema: {} };
    const payload = Object.values(examples).map(({ value }) => jsonBlock(value, `The body of ${name}`));
    const object = schema.$ref?.split("/").at(-1) ?? "";
    return `<h2 id="${name.replace(".", "-")}"><code>${name}</code></h2>
<p>${inline(post.description ?? post.summary ?? "")} Its body is a <a href="/docs/objects/${kebab(object)}">${asMarkup(object)}</a>.</p>
<details><summary>A body of ${name}</summary>${payload.join("\n")}</details>`;
  });
  const body = `<h1>Events</h1>
<p class="lead">What is sent to your endpoints by POST. How to verify it, and which event to fulfil on, is in <a href="/docs/webhooks">webhooks</a>.</p>
<h2 id="headers">Headers</h2><dl class="properties">${headers.join("\n")}</dl>
${list.join("\n")}`;
  return { path: "/docs/events", title: "Events", body };
}

/** A page for each object of the contract, and one that lists them. */
export function objectPages({ components }: OpenApiDocument): SitePage[] {
  const objects = Object.entries(components.schemas);
  const pages = objects.map(([name, schema]) => ({
    path: `/docs/objects/${kebab(name)}`,
    title: name,
    body: `<h1>${asMarkup(name)}</h1>\n<p class="lead">${inline(schema.description ?? "")}</p>\n${propertyList(schema)}`,
  }));
  const lines = objects.map(
    ([name, { description = "" }]) =>
      `<li><a href="/docs/objects/${kebab(name)}"><strong>${asMarkup(name)}</strong></a><span>${inline(description)}</span></li>`,
  );
  const body = `<h1>Objects</h1>\n<p class="lead">What answers and events hold.</p>\n<ul class="cards">${lines.join("\n")}</ul>`;
  return [{ path: "/docs/objects", title: "Objects", body }, ...pages];
}

/** The page of the root. Values that only a running service knows stand between percent signs. */
export function homeBody(): string {
  return `<h1>A Daric payment service</h1>
<p class="lead">It takes ${currencies.join(" and ")} on TRON for the merchants who have a key to it.</p>
<dl class="facts"><div><dt>Version</dt><dd>%version%</dd></div>
<div><dt>Environment</dt><dd>%environment%</dd></div>
<div><dt>Network</dt><dd>%network%</dd></div></dl>
<ul class="links">
<li><a href="/docs">Documentation</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Status</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul>
<p class="quiet">Came here to pay? Open the link that the shop gave you: it has a page of its own.</p>`;
}
