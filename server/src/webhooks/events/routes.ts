import type { ApiApp } from "../../http/api-app.ts";
import { refusal } from "../../http/openapi.ts";
import type { FeedContext } from "./context.ts";
import { listEvents } from "./list-events.ts";
import { eventsPage, eventsQuery, toEventsPage, typesOf } from "./schema.ts";

export function eventRoutes(app: ApiApp, context: FeedContext): void {
  listEventsRoute(app, context);
}

function listEventsRoute(app: ApiApp, { config, db }: FeedContext): void {
  const refused =
    "VALIDATION_ERROR where `after` is not the id of one of your events, or INVALID_EVENT_TYPE of `types`.";
  app.get(
    "/v1/events",
    {
      config: { scope: "webhooks:read" },
      schema: {
        operationId: "listEvents",
        summary: "List events, oldest first",
        description:
          "Every event of yours in one fixed order, whether or not it was delivered: read on from the last one that you handled " +
          "to catch up. An event that is new comes after all that were listed before. Pass `next` of `meta` as `after`. " +
          "With `types` a page may be empty although `has_more` is true: one call reads past 1,000 events at most.",
        tags: ["webhooks"],
        querystring: eventsQuery,
        response: { 200: eventsPage, 422: refusal(refused) },
      },
    },
    async ({ caller: { merchantId }, query: { after, types, limit } }) => {
      const wanted = { merchantId, after, types: typesOf(types), limit };
      const page = await listEvents({ config, db: db.ofTenant(merchantId) }, wanted);
      return toEventsPage(page, { environment: config.environment, limit });
    },
  );
}
