import { DEFAULT_CURRENCY } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { type FiatCurrency, fiatCurrencies } from "@daric/domain/fiat";
import type { preValidationHookHandler } from "fastify";
import type { ApiApp } from "./api-app.ts";
import { fieldsOf } from "./query-names.ts";

/**
 * On routes whose body has a `pricingCurrency`, refuses one that cannot be priced here, before any other field is looked at. The error
 * names the currencies that can. Called before the routes of its scope.
 *
 * @throws VALIDATION_ERROR
 */
export function refuseUnpriceable(scope: ApiApp, priceable: readonly FiatCurrency[]): void {
  const taken = new Set<unknown>([undefined, null, DEFAULT_CURRENCY, ...priceable]);
  const check: preValidationHookHandler = (request, _reply, done) => {
    const { pricingCurrency: code } = (request.body ?? {}) as { readonly pricingCurrency?: unknown };
    if (taken.has(code)) return done();
    const isKnown = fiatCurrencies.some((known) => known === code);
    const why = isKnown ? ": fewer than three markets of this one can be asked" : "";
    const message = `must be one of ${[...priceable, DEFAULT_CURRENCY].join(", ")}${why}`;
    done(new ApiError("VALIDATION_ERROR", { details: [{ path: "pricingCurrency", message }] }));
  };
  scope.addHook("onRoute", (route) => {
    if (fieldsOf(route.schema?.body)?.has("pricingCurrency"))
      route.preValidation = [route.preValidation ?? [], check].flat();
  });
}
