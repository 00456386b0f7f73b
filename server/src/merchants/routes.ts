import type { Queryable } from "@daric/postgres/sql";
import { z } from "zod";
import { ApiError } from "../domain/errors.ts";
import type { ApiApp } from "../http/api-app.ts";
import type { Clock } from "../runtime/clock.ts";
import { createLogoCache } from "./logo-cache.ts";

const LOGO_ID = /^[0-9a-f]{64}$/;
/** A new picture gets a new URL. */
const CACHE_FOR_EVER = "public, max-age=31536000, immutable";
const HEADERS = {
  "cache-control": CACHE_FOR_EVER,
  "content-security-policy": "default-src 'none'; sandbox",
  // Shops show this URL, from the checkout's JSON, on their own pages.
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** GET /checkout/logos/:id serves logos publicly; an unknown id costs no query. */
export function logoRoute(
  app: ApiApp,
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
): void {
  const findLogo = createLogoCache(db, clock);
  const schema = { hide: true, params: z.object({ id: z.string() }) };
  app.get("/checkout/logos/:id", { schema, attachValidation: true }, async (request, reply) => {
    const { id } = request.params;
    const logo = LOGO_ID.test(id) ? await findLogo(id) : undefined;
    if (logo === undefined) throw new ApiError("NOT_FOUND");
    return reply.type(logo.mediaType).headers(HEADERS).send(logo.content);
  });
}
