import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { fiatCode } from "@daric/http/validate";
import { z } from "zod";
import type { RateKeeper } from "./keep-rates.ts";

const currencyRow = z
  .object({
    code: fiatCode,
    decimals: z.int(),
    sources: z.array(z.string()),
    available: z.boolean().nullable(),
    resting: z.boolean(),
  })
  .meta({ id: "PricingCurrency", description: "A currency that orders can be priced in." });

/** GET /v1/currencies, which needs no key and asks no source. */
export function currencyRoutes(app: ApiApp, { currencies }: Pick<RateKeeper, "currencies">): void {
  app.get(
    "/v1/currencies",
    {
      schema: {
        operationId: "listCurrencies",
        summary: "List the currencies of prices",
        description:
          "The values of `pricingCurrency`, with their decimals and sources. It needs no key. A currency with fewer than three sources cannot be priced.",
        tags: ["currencies"],
        security: [],
        response: { 200: successOf(z.array(currencyRow)) },
      },
    },
    async () => ok(currencies().map((currency) => ({ ...currency, sources: [...currency.sources] }))),
  );
}
