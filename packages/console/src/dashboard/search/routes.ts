import { seenBy } from "@daric/domain/caller";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { addressKey } from "@daric/http/rate-limit";
import { callerOfSession } from "@daric/http/session";
import { searchAnswer, searchQuery, toSearchAnswer } from "./schema.ts";
import { type SearchContext, searchPayments } from "./search-payments.ts";

/** GET /dashboard/v1/search. */
export function searchRoute(app: ApiApp, context: SearchContext): void {
  app.get(
    "/dashboard/v1/search",
    {
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "searchPayments",
        summary: "Find payments by what a customer says",
        description:
          "A reference, its beginning or words of it, of label or metadata; an amount; or the link of the payment's page. Or an address, sender or transaction, whole, shortened or in a link. " +
          "`is_cut`: older payments may have these words too; more words find them. Of a transaction that is no payment of yours, `transaction` has what the nodes say. A person who sees own orders alone gets no word of the nodes.",
        tags: ["work"],
        querystring: searchQuery,
        response: { 200: successOf(searchAnswer) },
      },
    },
    async (request) => {
      const asker = { ...seenBy(callerOfSession(request)), clientAddress: addressKey(request.ip) };
      return ok(toSearchAnswer(await searchPayments(context, asker, request.query.q)));
    },
  );
}
