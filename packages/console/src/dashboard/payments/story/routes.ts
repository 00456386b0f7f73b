import { findChargeOf } from "@daric/charges/charge";
import type { AcceptingContext } from "@daric/charges/context";
import { findFamily } from "@daric/charges/order-family";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { listNotes } from "../payment-note-store.ts";
import { storyAnswer, toStoryAnswer } from "./schema.ts";
import { readStory } from "./store.ts";

/** The history of one payment. */
export function storyRoutes(app: ApiApp, { db }: Pick<AcceptingContext, "db">): void {
  app.get(
    "/dashboard/v1/payments/:id/story",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "retrieveStory",
        summary: "See what happened to a payment",
        description:
          "Oldest first: quotes, deposits by status, the checks of those that are not final, events, the answers to their webhooks, and how it closed; and the notes, the state, the possible actions, and the order with its rests. Events and answers need the right `webhooks:read`.",
        tags: ["payments"],
        params: idParams("charge"),
        response: { 200: successOf(storyAnswer) },
      },
    },
    async (request) => {
      const caller = callerOfSession(request);
      const ref = { merchantId: caller.merchantId, id: request.params.id };
      const tenant = db.forTenant(ref.merchantId);
      const charge = await findChargeOf({ db }, caller, ref.id);
      if (charge === undefined) throw new ApiError("NOT_FOUND");
      const withWebhooks = caller.scopes.includes("webhooks:read");
      const [family, entries, notes] = await Promise.all([
        findFamily(tenant, charge),
        readStory(tenant, ref, { withWebhooks }),
        listNotes(tenant, ref),
      ]);
      return ok(toStoryAnswer(charge, { family, entries, notes }));
    },
  );
}
