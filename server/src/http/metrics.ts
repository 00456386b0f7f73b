import { Histogram, type Registry } from "prom-client";

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

/** How long requests take. */
export function createHttpMetrics(registers: Registry[]) {
  return {
    httpRequests: new Histogram({
      name: "daric_http_request_seconds",
      help: "Time to answer a request, by route and status",
      labelNames: ["method", "route", "status"],
      registers,
    }),
  };
}
