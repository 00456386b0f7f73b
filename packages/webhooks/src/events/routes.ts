import { idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { idParams } from "@daric/http/validate";
import type { FastifyRequest } from "fastify";
import type { FeedContext } from "./context.ts";
import { findPlace } from "./feed-store.ts";
import { getEvent, listEvents } from "./list-events.ts";
import { eventsQuery, feedEvent, feedPage, toFeedEvent, toFeedPage, typesOf } from "./schema.ts";

export function eventRoutes(app: ApiApp, context: FeedContext): void {
  listEventsRoute(app, context);
  retrieveEventRoute(app, context);
}

function eventOfPath({ db }: FeedContext) {
  return {
    name: "event",
    exists: async ({ caller: { merchantId } }: FastifyRequest, id: string): Promise<boolean> =>
      (await findPlace(db.forTenant(merchantId), { merchantId, id: idOf("event", id) })) !== undefined,
  };
}

function retrieveEventRoute(app: ApiApp, context: FeedContext): void {
  const { config, db } = context;
  app.get(
    "/v1/events/:id",
    {
      config: { scope: "webhooks:read", personScope: "bodies:read", pathRow: eventOfPath(context) },
      schema: {
        operationId: "retrieveEvent",
        summary: "Retrieve an event",
        description: "One event, with the body of its webhook.",
        tags: ["webhooks"],
        params: idParams("event"),
        response: { 200: successOf(feedEvent) },
      },
    },
    async ({ caller: { merchantId }, params: { id } }) => {
      const event = await getEvent({ config, db: db.forTenant(merchantId) }, { merchantId, id });
      return ok(toFeedEvent(event, config.environment));
    },
  );
}

function listEventsRoute(app: ApiApp, { config, db }: FeedContext): void {
  const refused =
    "VALIDATION_ERROR where `after` is not the id of one of your events, or INVALID_EVENT_TYPE of `types`.";
  app.get(
    "/v1/events",
    {
      config: { scope: "webhooks:read", personScope: "bodies:read" },
      schema: {
        operationId: "listEvents",
        summary: "List events, oldest first",
        description:
          "Every event of yours in one fixed order, whether or not it was delivered. To catch up, read on from the last one that you " +
          "handled. An event that is new comes after all that were listed before. Pass `next` of `meta` as `after`. " +
          "With `types` a page may be empty although `has_more` is true: one call reads past 1,000 events at most.",
        tags: ["webhooks"],
        querystring: eventsQuery,
        response: { 200: feedPage, 422: refusal(refused) },
      },
    },
    async ({ caller: { merchantId }, query: { after, types, limit } }) => {
      const wanted = { merchantId, after, types: typesOf(types), limit };
      const page = await listEvents({ config, db: db.forTenant(merchantId) }, wanted);
      return toFeedPage(page, { environment: config.environment, limit });
    },
  );
}
