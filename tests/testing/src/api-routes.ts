import { type ApiScope, apiScopes } from "@daric/domain/api-scope";
import type { ApiApp } from "@daric/http/api-app";
import { z } from "zod";

type Field = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
  readonly items?: Field;
  readonly anyOf?: readonly Field[];
};
type Fields = Readonly<Record<string, Field>>;

/** A registered route, so that tests of all routes cover later ones too. */
export type ApiRoute = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** as registered: `/v1/deposits/:id` */
  readonly url: string;
  /** undefined if no key is needed */
  readonly scope: ApiScope | undefined;
  readonly query: Fields;
  /** undefined without a body */
  readonly body: Fields | undefined;
};

/** The routes of a fresh app, without the HEAD of each GET. */
export async function routesOf(app: ApiApp): Promise<ApiRoute[]> {
  const routes: ApiRoute[] = [];
  app.addHook("onRoute", ({ method, url, config, schema }) => {
    // The routes of people take no key and have tests of their own.
    const scope = apiScopes.find((name) => name === config?.scope);
    if (method === "HEAD" || url.startsWith("/dashboard/") || scope !== config?.scope) return;
    const { querystring, body } = (schema ?? {}) as { querystring?: z.ZodType; body?: z.ZodType };
    routes.push({
      method: method as ApiRoute["method"],
      url,
      scope,
      query: querystring === undefined ? {} : fieldsOf(querystring),
      body: body === undefined ? undefined : fieldsOf(body),
    });
  });
  await app.ready();
  return routes;
}

function fieldsOf(schema: z.ZodType): Fields {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(properties as Fields).map(([name, field]) => [name, { ...field, ...partOf(field) }]),
  );
}

/** The non-null alternative of a field. */
function partOf({ anyOf }: Field): Field {
  return anyOf?.find(({ type }) => type !== "null") ?? {};
}

/** Whether a field accepts free text. */
export function takesName({ type, format, enum: values, const: single }: Field): boolean {
  const isOther = ["date-time", "month", "event-types"].includes(format ?? "");
  return type === "string" && values === undefined && single === undefined && !isOther;
}

/** A body with a valid value for every field. */
export function sampleBody(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field)]));
}

function sampleOf({ type, format, enum: values, const: single, minimum, examples, items }: Field): unknown {
  const [example] = examples ?? values ?? (single === undefined ? [] : [single]);
  if (example !== undefined) return example;
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "array") return [sampleOf(items ?? {})];
  if (type === "object") return {};
  if (format === "uuid") return "0190a5f0-0000-7000-8000-00000000000f";
  return format === "uri" ? "http://127.0.0.1:9/" : "deposit.confirmed";
}
