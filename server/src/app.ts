import type { Context } from "./context.ts";
import { serveOpenApi } from "./http/openapi.ts";
import { type ApiApp, createServer } from "./http/server.ts";

/** The API with the routes of every feature. Opens nothing: the caller listens or injects. */
export function createApp(context: Context): ApiApp {
  const app = createServer(context);
  serveOpenApi(app);
  return app;
}
