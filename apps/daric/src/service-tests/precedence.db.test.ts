import { type ApiScope, apiScopes } from "@daric/domain/api-scope";
import { createAdmission } from "@daric/http/admission";
import type { ApiApp } from "@daric/http/api-app";
import { BODY_LIMIT_BYTES } from "@daric/http/server";
import { anUnknownKey } from "@daric/testing/api-keys";
import { type ApiRoute, routesOf, sampleBody } from "@daric/testing/api-routes";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { createManualClock } from "@daric/testing/offline-context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

/** The parts of a request; a fault changes one. */
type Draft = {
  app: ApiApp;
  apiKey: string;
  contentType: string;
  payload: string;
  path: string;
  query: string;
};
type Fault = {
  appliesTo: (route: ApiRoute) => boolean;
  change: (draft: Draft, route: ApiRoute) => Partial<Draft>;
};

const takesBytes = ({ method }: ApiRoute) => method !== "GET";
const always = () => true;

/** The faults of a request in the order in which they are answered. */
const faults: Record<string, Fault> = {
  PAYLOAD_TOO_LARGE: {
    appliesTo: takesBytes,
    change: ({ payload }) => ({ payload: payload + " ".repeat(BODY_LIMIT_BYTES) }),
  },
  UNSUPPORTED_MEDIA_TYPE: { appliesTo: takesBytes, change: () => ({ contentType: "text/plain" }) },
  INVALID_JSON: { appliesTo: takesBytes, change: ({ payload }) => ({ payload: `{broken${payload}` }) },
  UNAUTHORIZED: { appliesTo: always, change: () => ({ apiKey: anUnknownKey() }) },
  INSUFFICIENT_SCOPE: {
    appliesTo: always,
    change: ({ app }, { scope }) => ({ apiKey: keyWithout(scope, app === spent ? spentKeys : keys) }),
  },
  RATE_LIMITED: {
    appliesTo: always,
    change: ({ apiKey }) => ({ app: spent, ...(apiKey === keys.all ? { apiKey: spentKeys.all } : {}) }),
  },
  SERVICE_UNAVAILABLE: { appliesTo: always, change: () => ({ app: full }) },
  NOT_FOUND: { appliesTo: ({ url }) => url.includes("/:id"), change: () => ({ path: uuidv7() }) },
  VALIDATION_ERROR: { appliesTo: always, change: () => ({ query: "?a=1&a=2" }) },
};
const order = Object.keys(faults);

/** A key with every scope, and one for each scope that it lacks. */
type Keys = { all: string; without: Map<ApiScope, string> };

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
/** an app that admits no request */
let full: ApiApp;
/** an app that admits no request; the keys in `spentKeys` have no requests left */
let spent: ApiApp;
let keys: Keys;
let spentKeys: Keys;
let routes: ApiRoute[];

beforeAll(async () => {
  context = await createTestContext({
    RATE_LIMIT_KEY_BURST: "1000000",
    RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE: "1000000",
  });
  app = createApp(context);
  routes = (await routesOf(app)).filter(({ scope }) => scope !== undefined);
  const http = { ...context.config.http, keyBurst: 1 };
  const admission = createAdmission({ ...context, bounds: { min: 0, first: 0, max: 0 } });
  full = createApp(context, { admission });
  const clock = createManualClock();
  spent = createApp({ ...context, config: { ...context.config, http }, clock }, { admission });
  keys = await newKeys();
  spentKeys = await newKeys();
  for (const apiKey of [spentKeys.all, ...spentKeys.without.values()]) {
    for (const url of ["/v1/deposits", "/v1/deposits"]) {
      await spent.inject({ url, headers: { "x-api-key": apiKey } });
    }
  }
});
afterAll(async () => {
  for (const server of [app, full, spent]) await server.close();
  await context.close();
});

async function newKeys(): Promise<Keys> {
  const { id } = await aMerchant(context.db);
  const without = new Map<ApiScope, string>();
  for (const scope of apiScopes) {
    const { key } = await anApiKey(context, id, { scopes: apiScopes.filter((granted) => granted !== scope) });
    without.set(scope, key);
  }
  return { all: (await anApiKey(context, id)).key, without };
}

function keyWithout(scope: ApiScope | undefined, { without }: Keys): string {
  return (scope && without.get(scope)) ?? "";
}

async function send(route: ApiRoute, draft: Draft): Promise<string> {
  const { method, url } = route;
  const response = await draft.app.inject({
    method,
    url: url.replace(":id", draft.path) + draft.query,
    headers: {
      "x-api-key": draft.apiKey,
      ...(takesBytes(route) ? { "content-type": draft.contentType } : {}),
    },
    ...(takesBytes(route) ? { payload: draft.payload } : {}),
  });
  // A file is no refusal.
  const isJson = String(response.headers["content-type"]).startsWith("application/json");
  return (isJson ? response.json().error?.code : undefined) ?? String(response.statusCode);
}

/** The request with these faults and no others, though its row may be missing. */
function draftOf(route: ApiRoute, codes: readonly string[]): Draft {
  let draft: Draft = {
    app,
    apiKey: keys.all,
    contentType: "application/json",
    payload: JSON.stringify(sampleBody(route.body ?? {})),
    path: uuidv7(),
    query: "",
  };
  // The last fault is applied first, so that the earlier one prevails if both change the same part.
  for (const code of order.filter((name) => codes.includes(name)).reverse()) {
    draft = { ...draft, ...faults[code]?.change(draft, route) };
  }
  return draft;
}

const pairs = order.flatMap((first, index) =>
  order.slice(index).map((second): [string, string] => [first, second]),
);

describe("of two faults in one request to any route the earlier one is answered", () => {
  it.each(pairs)("%s before %s", async (first, second) => {
    const both = routes.filter((route) => [first, second].every((code) => faults[code]?.appliesTo(route)));
    expect(both.length).toBeGreaterThan(0);
    for (const route of both) {
      // A missing row of the path is reported before faults of the query.
      const isRowFirst = first === "VALIDATION_ERROR" && route.url.includes("/:id");
      const answer = await send(route, draftOf(route, [first, second]));
      expect(answer, `${route.method} ${route.url}`).toBe(isRowFirst ? "NOT_FOUND" : first);
    }
  });
});

describe("a key may do exactly what its scopes allow, on every route:", () => {
  it("without the scope of the route it is refused, and the refusal names the missing scope", async () => {
    for (const route of routes) {
      const { method, url, scope } = route;
      const response = await app.inject({
        method,
        url: url.replace(":id", uuidv7()),
        headers: { "x-api-key": keyWithout(scope, keys) },
      });
      expect(response.statusCode, `${method} ${url}`).toBe(403);
      expect(response.json()).toMatchObject({
        message: `The API key lacks the scope ${scope}.`,
        error: { code: "INSUFFICIENT_SCOPE" },
      });
    }
  });

  it("with only that scope the key is accepted", async () => {
    const { id } = await aMerchant(context.db);
    for (const route of routes) {
      const scopes = apiScopes.filter((scope) => scope === route.scope);
      const { key } = await anApiKey(context, id, { scopes });
      const answer = await send(route, { ...draftOf(route, []), apiKey: key });
      expect(answer, `${route.method} ${route.url}`).not.toMatch(/UNAUTHORIZED|INSUFFICIENT_SCOPE|INTERNAL/);
    }
  });

  it("what a person alone may do is refused to each key, before its row is looked for", async () => {
    for (const act of ["confirm", "pay", "transaction"]) {
      const url = `/v1/refunds/${uuidv7()}/${act}`;
      const answer = await app.inject({ method: "POST", url, headers: { "x-api-key": keys.all } });
      expect([answer.statusCode, answer.json().message]).toEqual([
        403,
        "The API key lacks the scope refunds:pay.",
      ]);
    }
  });

  it("reading needs a scope to read, and everything else one to write", () => {
    for (const { method, url, scope } of routes) {
      expect(scope, `${method} ${url}`).toMatch(method === "GET" ? /:read$/ : /:write$/);
    }
  });
});
