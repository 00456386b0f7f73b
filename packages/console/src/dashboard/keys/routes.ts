import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { listApiKeys } from "@daric/merchants/api-key-store";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { actorOf } from "../../people/schema.ts";
import { type Context, createKey, offerShopCode, revokeKey, rotateKey } from "./change-keys.ts";
import { issuedKey, keyBody, keyRow, rotatedKey, rotationBody, shopCode, toKeyRow } from "./schema.ts";

const read = { scope: "account:read" } as const;
const writesKeys = { scope: "keys:write", needsProof: true } as const;

/** API keys of a merchant. */
export function keyRoutes(app: ApiApp, context: Context): void {
  listKeysRoute(app, context);
  createKeyRoute(app, context);
  endKeyRoutes(app, context);
  shopCodeRoute(app, context);
}

function changeOf<T>(request: FastifyRequest, input: T) {
  return { actor: actorOf(request), merchantId: callerOfSession(request).merchantId, input };
}

function listKeysRoute(app: ApiApp, { db, config }: Context): void {
  app.get(
    "/dashboard/v1/keys",
    {
      config: read,
      schema: {
        operationId: "listKeys",
        summary: "List API keys",
        description: "Live ones first, the newest first, at most 1,000; never the keys themselves.",
        tags: ["keys"],
        response: { 200: successOf(z.array(keyRow)) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const keys = await listApiKeys(db.forTenant(merchantId), merchantId);
      return ok(keys.map((key) => toKeyRow(key, config.environment)));
    },
  );
}

function createKeyRoute(app: ApiApp, context: Context): void {
  app.post(
    "/dashboard/v1/keys",
    {
      config: writesKeys,
      schema: {
        operationId: "createKey",
        summary: "Create an API key",
        description: "The answer has the key, once. It gets no scope that your role lacks.",
        tags: ["keys"],
        body: keyBody,
        response: { 201: createdOf(issuedKey) },
      },
    },
    async (request, reply) => {
      const { scopes } = callerOfSession(request);
      const { key, row } = await createKey(context, changeOf(request, request.body), scopes);
      return reply.code(201).send(created({ ...toKeyRow(row, context.config.environment), key }));
    },
  );
}

function endKeyRoutes(app: ApiApp, context: Context): void {
  const { environment } = context.config;
  app.post(
    "/dashboard/v1/keys/:id/rotate",
    {
      config: writesKeys,
      schema: {
        operationId: "rotateKey",
        summary: "Make a key like this one, which then works for the overlap only",
        tags: ["keys"],
        params: idParams("apiKey"),
        body: rotationBody,
        response: { 201: createdOf(rotatedKey) },
      },
    },
    async (request, reply) => {
      const input = { id: request.params.id, ...request.body };
      const { scopes } = callerOfSession(request);
      const { key, row, previous } = await rotateKey(context, changeOf(request, input), scopes);
      const ending = {
        previous_id: previous.id,
        previous_expires_at: previous.expiresAt?.toISOString() ?? null,
      };
      return reply.code(201).send(created({ ...toKeyRow(row, environment), key, ...ending }));
    },
  );
  app.post(
    "/dashboard/v1/keys/:id/revoke",
    {
      config: writesKeys,
      schema: {
        operationId: "revokeKey",
        summary: "End an API key",
        description: "Every process refuses it within 5 s.",
        tags: ["keys"],
        params: idParams("apiKey"),
        response: { 200: successOf(keyRow) },
      },
    },
    async (request) =>
      ok(toKeyRow(await revokeKey(context, changeOf(request, { id: request.params.id })), environment)),
  );
}

function shopCodeRoute(app: ApiApp, context: Context): void {
  app.post(
    "/dashboard/v1/shop-codes",
    {
      config: writesKeys,
      schema: {
        operationId: "makeShopCode",
        summary: "Make a code to connect a shop by",
        description:
          "It connects one shop, within ten minutes, and ends the merchant's code before it. Its maker needs `webhooks:write` too, and every right that the shop's key gets.",
        tags: ["keys"],
        response: { 201: createdOf(shopCode) },
      },
    },
    async (request, reply) => {
      const { scopes, merchantId } = callerOfSession(request);
      const { code, expiresAt } = await offerShopCode(
        context,
        { actor: actorOf(request), merchantId },
        scopes,
      );
      const service_url = context.config.http.publicBaseUrl ?? null;
      return reply.code(201).send(created({ code, expires_at: expiresAt.toISOString(), service_url }));
    },
  );
}
