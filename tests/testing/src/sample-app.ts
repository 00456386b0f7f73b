import { apiScopes } from "@daric/domain/api-scope";
import type { Caller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import { parseAmount } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { createFailureBudget, requireApiKey } from "@daric/http/authenticate";
import { created, createdOf, listed, listOf, ok, successOf } from "@daric/http/envelope";
import { pageQuery } from "@daric/http/pagination";
import { createRateLimiter } from "@daric/http/rate-limit";
import { createServer } from "@daric/http/server";
import { decimal, idParams, nullishHttpUrl, nullishText } from "@daric/http/validate";
import { CommitUnknownError } from "@daric/postgres/errors";
import { z } from "zod";
import { createOfflineContext } from "./offline-context.ts";

export const ROW_ID = "0190a5f0-0000-7000-8000-000000000001";
export const OTHER_ID = "0190a5f0-0000-7000-8000-000000000002";
/** Requests of one key before it is limited. */
export const KEY_BURST = 3;
/** Failed look-ups of one address before it is limited. */
export const FAILURES_PER_MINUTE = 3;

const thing = z.object({ id: z.string(), amount: z.string().nullable() });
const thingBody = z.object({
  amount: decimal.nullish(),
  orderRef: nullishText(5),
  successUrl: nullishHttpUrl,
  kinds: z.array(z.enum(["a", "b", "c"])).optional(),
  nested: z.object({ deep: z.object({ flag: z.boolean() }) }).optional(),
});

/**
 * The HTTP layer with one route of each shape. Keys: good, narrow (may only read deposits), live (other
 * environment), junk (malformed); any other is unknown.
 */
export function openSampleApp(
  parts: Parameters<typeof createOfflineContext>[1] = {},
  env: Record<string, string> = {},
): { app: ApiApp; lookedUp: string[] } {
  const context = createOfflineContext(env, parts);
  const app = createServer(context);
  const lookedUp: string[] = [];
  app.register(async (scope) => {
    requireApiKey(scope, {
      recallCaller: () => undefined,
      findPrefix: (key) => (key === "" || key === "junk" ? undefined : key.slice(0, 4)),
      isForgeable: (key) => !key.startsWith("new"),
      findCaller: async (key) => {
        lookedUp.push(key);
        return sampleCallers[key];
      },
      perKey: createRateLimiter({ perSecond: 1, burst: KEY_BURST, clock: context.clock }),
      failures: createFailureBudget({ perMinute: FAILURES_PER_MINUTE, clock: context.clock }),
    });
    guardedRoutes(scope);
  });
  publicRoutes(app);
  app.get("/v1/public/database", async () => context.db.transaction(async () => null));
  return { app, lookedUp };
}

const merchant = { merchantId: idOf("merchant", OTHER_ID), apiKeyId: idOf("apiKey", ROW_ID) };
const sampleCallers: Record<string, Caller | "wrong_environment"> = {
  good: { ...merchant, scopes: apiScopes },
  narrow: { ...merchant, scopes: ["deposits:read"] },
  live: "wrong_environment",
};

function guardedRoutes(app: ApiApp): void {
  const read = { scope: "charges:read" } as const;
  const write = { scope: "charges:write" } as const;
  const pathRow = { name: "thing", exists: async (_request: unknown, id: string) => id === ROW_ID };
  app.get(
    "/v1/things",
    { config: read, schema: { querystring: pageQuery, response: { 200: listOf(thing) } } },
    async ({ query }) => listed([{ id: ROW_ID, amount: null }], { ...query, total: 1 }),
  );
  app.get(
    "/v1/things/:id",
    {
      config: { ...read, pathRow },
      schema: { params: idParams("thing"), response: { 200: successOf(thing) } },
    },
    async ({ params }) => ok({ id: params.id, amount: null, secret: "never serialized" }),
  );
  app.patch(
    "/v1/things/:id",
    {
      config: { ...write, pathRow },
      schema: { params: idParams("thing"), body: z.object({ isActive: z.boolean() }) },
    },
    async ({ caller }) => ok(caller.merchantId),
  );
  app.post(
    "/v1/things",
    { config: write, schema: { body: thingBody, response: { 201: createdOf(thing) } } },
    async ({ body }, reply) =>
      reply.code(201).send(created({ id: ROW_ID, amount: String(parseAmount(body.amount ?? "")) })),
  );
  app.post(
    "/v1/things/:id/test",
    { config: { ...write, pathRow }, schema: { params: idParams("thing") } },
    async () => ok({}),
  );
}

function publicRoutes(app: ApiApp): void {
  app.get("/v1/public/broken", async () => {
    throw new Error("the inner text");
  });
  app.get(
    "/v1/public/mismatch",
    { schema: { response: { 200: successOf(z.string()) } } },
    async (_request, reply) => reply.send(ok(5) as never),
  );
  app.get("/v1/public/unconfirmed", async () => {
    throw new CommitUnknownError(new Error("the connection is lost"));
  });
  app.get("/v1/public/caller", async ({ caller }) => ok(caller));
  app.get("/v1/public/ip", async ({ ip }) => ok(ip));
  app.get("/v1/public/refused", async () => {
    throw new ApiError("RATE_UNAVAILABLE", { retryAfterSeconds: 7 });
  });
  app.post("/v1/public/echo", { schema: { body: z.unknown() } }, async ({ body }) => ok(body));
}
