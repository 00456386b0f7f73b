import type { Context } from "./context.ts";
import { depositRoutes } from "./deposits/routes.ts";
import { requireApiKey } from "./http/authenticate.ts";
import { createFailureBudget } from "./http/failure-budget.ts";
import { serveOpenApi } from "./http/openapi.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { type ApiApp, createServer } from "./http/server.ts";
import { parseApiKey } from "./merchants/api-key.ts";
import { findCaller } from "./merchants/find-caller.ts";

/** The API with the routes of every feature. Opens nothing: the caller listens or injects. */
export function createApp(context: Context): ApiApp {
  const app = createServer(context);
  serveOpenApi(app);
  app.register(async (scope) => {
    guard(scope, context);
    depositRoutes(context)(scope);
  });
  return app;
}

function guard(scope: ApiApp, context: Context): void {
  const { config, clock } = context;
  requireApiKey(scope, {
    isWellFormed: (apiKey) => parseApiKey(apiKey) !== undefined,
    findCaller: (apiKey) => findCaller(context, apiKey),
    perKey: createRateLimiter({
      perSecond: config.RATE_LIMIT_KEY_PER_SECOND,
      burst: config.RATE_LIMIT_KEY_BURST,
      clock,
    }),
    failures: createFailureBudget({ perMinute: config.RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE, clock }),
  });
}
