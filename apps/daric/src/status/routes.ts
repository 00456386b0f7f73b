import { type Status, toWire } from "@daric/console/status/status";
import type { ApiApp } from "@daric/http/api-app";

/** GET /: the state of this process as JSON, with the names of the dashboard's Health. Only the listener of /metrics serves it. */
export function statusRoutes(app: ApiApp, findStatus: () => Promise<Status>): void {
  app.get("/", { config: { isProbe: true }, schema: { hide: true } }, async () => toWire(await findStatus()));
}
