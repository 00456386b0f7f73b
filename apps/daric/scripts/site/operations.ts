import { docPathOf } from "@daric/domain/error-guide";
import { type ApiErrorCode, errorCatalog } from "@daric/domain/errors";
import type { OpenApiDocument } from "../openapi/openapi-document.ts";
import { asMarkup, codeBlock, jsonBlock, kebab } from "./html.ts";
import { inline } from "./markdown.ts";
import { entry, propertyList } from "./schemas.ts";

type Documented = OpenApiDocument["paths"][string][string];

/** An operation and where it stands. */
export type PlacedOperation = {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly href: string;
  readonly operation: Documented;
};

const METHODS = ["post", "get", "patch", "delete"];

/** Every operation: by path, and within a path what makes before what reads. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      if (operation === undefined) return [];
      const name = operation.summary ?? path;
      return [{ method, path, name, href: `/docs/api/${kebab(operation.operationId ?? "")}`, operation }];
    }),
  );
}

/** `POST /v1/deposit-addresses`, as people read it. */
export function methodAndPath({ method, path }: Pick<PlacedOperation, "method" | "path">): string {
  const breakable = asMarkup(path).replaceAll("/", "/<wbr>");
  return `<code class="route"><b class="${method}">${method.toUpperCase()}</b> ${breakable}</code>`;
}

/** The page of one operation. */
export function operationPage(placed: PlacedOperation): string {
  const { operation, name } = placed;
  const { summary: _summary, description = "", parameters = [], security = [] } = operation;
  const ways = ["path", "query", "header"] as const;
  const given = ways.flatMap((way) => {
    const found = parameters.filter((parameter) => parameter.in === way);
    if (found.length === 0) return [];
    const rows = found.map((parameter) => {
      const { description = parameter.schema.description ?? "", schema, required = false } = parameter;
      return entry(parameter.name, { ...schema, description }, required);
    });
    return [`<h2 id="${way}">In the ${way}</h2><dl class="properties">${rows.join("\n")}</dl>`];
  });
  return [
    `<h1>${asMarkup(name)}</h1>`,
    `<p>${methodAndPath(placed)}</p>`,
    `<p class="lead">${inline(description)}</p>`,
    security.length === 0
      ? "<p>It takes no API key.</p>"
      : "<p>Send your API key in the header <code>X-Api-Key</code>.</p>",
    samples(operation),
    ...given,
    requestBody(operation),
    answers(operation),
  ].join("\n");
}

/** Tabs without a script: each is a radio button, and its panel is shown while it is chosen. */
function samples({ "x-codeSamples": all = [] }: Documented): string {
  if (all.length === 0) return "";
  const tabs = all.map(({ label, source }, i) => {
    const id = `sample-${i}`;
    return (
      `<input type="radio" name="sample" id="${id}"${i === 0 ? " checked" : ""}><label for="${id}">${asMarkup(label)}</label>` +
      `<div class="panel">${codeBlock(source, `The request with ${label}`)}</div>`
    );
  });
  const hint = "<p>They read <code>DARIC_URL</code> and <code>DARIC_API_KEY</code> from the environment.</p>";
  return `<h2 id="samples">The call</h2>\n${hint}<fieldset class="tabs"><legend>Language</legend>${tabs.join("\n")}</fieldset>`;
}

function requestBody({ requestBody: body }: Documented): string {
  if (body === undefined) return "";
  const { schema, example, examples = {} } = body.content["application/json"];
  const all =
    example === undefined ? examples : { example: { summary: "Example", value: example }, ...examples };
  const shown = Object.values(all).map(
    ({ summary = "Example", value }) =>
      `<details><summary>${inline(summary)}</summary>${jsonBlock(value, summary)}</details>`,
  );
  return `<h2 id="body">In the body</h2>${shown.join("\n")}${propertyList(schema, { showRequired: true })}`;
}

function answers({ responses }: Documented): string {
  const all = Object.entries(responses);
  const good = all
    .filter(([status]) => status.startsWith("2"))
    .map(([status, answer]) => success(status, answer));
  const bad = all
    .filter(([status]) => !status.startsWith("2"))
    .map(([status, answer]) => failure(status, answer));
  return `${good.join("\n")}<h2 id="errors">Errors</h2>
<p>Why each is answered and what to do about it is in <a href="/docs/errors">errors</a>.</p>
<dl class="properties">${bad.join("\n")}</dl>`;
}

function success(status: string, { content }: Documented["responses"][string]): string {
  if (content === undefined) return "";
  const { schema, example, examples = {} } = content["application/json"];
  const value = example ?? Object.values(examples)[0]?.value;
  const shown = value === undefined ? "" : jsonBlock(value, `Answer ${status}`);
  return `<h2 id="answer">Answer ${status}</h2>${shown}${propertyList(schema)}`;
}

function failure(status: string, { description, content }: Documented["responses"][string]): string {
  const named = Object.keys(content?.["application/json"].examples ?? {});
  const stated = Object.keys(errorCatalog).filter((code) => new RegExp(`\\b${code}\\b`).test(description));
  const codes = [...new Set([...named, ...stated])].filter(
    (code): code is ApiErrorCode => code in errorCatalog,
  );
  const links = codes.map((code) => `<a href="${docPathOf(code)}"><code>${code}</code></a>`).join(" ");
  return `<div><dt>${status}</dt><dd>${inline(description)}<br>${links}</dd></div>`;
}
