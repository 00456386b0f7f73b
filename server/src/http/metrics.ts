import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { errorCatalog } from "../domain/errors.ts";

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

/**
 * How long requests take, which are refused, and how many connections there are. Refusals of each code begin at zero: of a
 * counter that is born with one, nobody sees a rise.
 */
export function createHttpMetrics(registers: Registry[]) {
  const httpRefusals = new Counter({
    name: "daric_http_refusals_total",
    help: "Requests that were refused, by the code of the error",
    labelNames: ["code"],
    registers,
  });
  for (const code of Object.keys(errorCatalog)) httpRefusals.inc({ code }, 0);
  return {
    httpRequests: new Histogram({
      name: "daric_http_request_seconds",
      help: "Time to answer a request, by route and status",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    httpRefusals,
    httpConnections: new Gauge({
      name: "daric_http_connections",
      help: "Connections that are open, by listener",
      labelNames: ["listener"],
      registers,
    }),
    httpConnectionsMax: new Gauge({
      name: "daric_http_connections_max",
      help: "Connections that may be open, by listener",
      labelNames: ["listener"],
      registers,
    }),
    httpConnectionsDropped: new Counter({
      name: "daric_http_connections_dropped_total",
      help: "Connections that were closed because there were as many as may be, by listener",
      labelNames: ["listener"],
      registers,
    }),
  };
}
