import type { CallerScope } from "@daric/domain/api-scope";
import type { ApiApp } from "@daric/http/api-app";
import { z } from "zod";

/** A route of the dashboard, or one of `/v1` that a session may call, as registered. */
export type SessionRoute = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly url: string;
  /** the right that a person needs */
  readonly scope: CallerScope | undefined;
  readonly access: string | undefined;
  readonly narrows: boolean;
  readonly needsProof: boolean;
  /** the names of all fields of the answers */
  readonly fields: readonly string[];
};

/** The routes of a fresh app that people use, without the HEAD of each GET. */
export async function sessionRoutesOf(app: ApiApp): Promise<SessionRoute[]> {
  const routes: SessionRoute[] = [];
  app.addHook("onRoute", ({ method, url, config, schema }) => {
    if (method === "HEAD" || !(url.startsWith("/dashboard/v1/") || config?.scope !== undefined)) return;
    routes.push({
      method: method as SessionRoute["method"],
      url,
      scope: config?.personScope ?? config?.scope,
      access: config?.access,
      narrows: config?.narrows === true,
      needsProof: config?.needsProof === true,
      fields: fieldsOf(Object.values((schema?.response as Record<string, unknown>) ?? {})),
    });
  });
  await app.ready();
  return routes;
}

function fieldsOf(schemas: readonly unknown[]): string[] {
  const documents = schemas
    .filter((schema) => schema instanceof z.ZodType)
    .map((schema) => JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" })));
  return documents.flatMap((document) => [...document.matchAll(/"(\w+)":\{/g)].map(([, name = ""]) => name));
}
