import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { z } from "zod";
import { registrationOptions } from "../../passkey.ts";
import { listPasskeys } from "../../person-store.ts";
import { actorOf, type PeopleParts, passkeyOptions, siteOf } from "../../schema.ts";
import { addPasskey, removePasskey } from "../my-security.ts";
import { newPasskeyBody, passkeyRow, toPasskeyRow } from "../schema.ts";

const tags = ["my security"];
/** On a live service a person without a second factor must be able to set one up. */
const access = "person without second factor" as const;
const proven = { access, needsProof: true } as const;

/** The routes of a person's passkeys. */
export function myPasskeyRoutes(app: ApiApp, parts: PeopleParts): void {
  passkeyRoutes(app, parts);
  removePasskeyRoute(app, parts);
}

function passkeyRoutes(app: ApiApp, parts: PeopleParts): void {
  const { context } = parts;
  listPasskeysRoute(app, parts);
  app.post(
    "/dashboard/v1/me/passkeys/options",
    {
      config: proven,
      schema: {
        operationId: "createPasskeyOptions",
        summary: "Ask for the options of a new passkey",
        tags,
        response: { 200: successOf(passkeyOptions) },
      },
    },
    async ({ session: { personId, email, name } }) => {
      const known = (await listPasskeys(context.db, personId)).map(({ id }) => id);
      const person = { id: personId, email, name };
      const options = { now: context.clock.now(), known };
      return ok({ options: { ...(await registrationOptions(siteOf(context), person, options)) } });
    },
  );
  app.post(
    "/dashboard/v1/me/passkeys",
    {
      config: proven,
      schema: {
        operationId: "addPasskey",
        summary: "Add a passkey",
        tags,
        body: newPasskeyBody,
        response: { 201: createdOf(passkeyRow) },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, site: siteOf(context) };
      const passkey = await addPasskey(context, actorOf(request), input);
      return reply.code(201).send(created(toPasskeyRow(passkey)));
    },
  );
}

function listPasskeysRoute(app: ApiApp, { context }: PeopleParts): void {
  app.get(
    "/dashboard/v1/me/passkeys",
    {
      config: { access },
      schema: {
        operationId: "listPasskeys",
        summary: "List your passkeys",
        tags,
        response: { 200: successOf(z.array(passkeyRow)) },
      },
    },
    async ({ session: { personId } }) => ok((await listPasskeys(context.db, personId)).map(toPasskeyRow)),
  );
}

function removePasskeyRoute(app: ApiApp, { context }: PeopleParts): void {
  app.delete(
    "/dashboard/v1/me/passkeys/:passkeyId",
    {
      config: proven,
      schema: {
        operationId: "removePasskey",
        summary: "Remove a passkey",
        tags,
        params: z.object({ passkeyId: z.string() }),
        response: { 200: successOf(passkeyRow) },
      },
    },
    async (request) =>
      ok(toPasskeyRow(await removePasskey(context, actorOf(request), request.params.passkeyId))),
  );
}
