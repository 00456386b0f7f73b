import { errorCatalog } from "@daric/domain/errors";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

/**
 * Metrics of requests, refusals and connections. Refusals of each code start at zero: a counter that starts
 * at one shows no increase.
 */
export function createHttpMetrics(registers: Registry[]) {
  const httpRefusals = new Counter({
    name: "daric_http_refusals_total",
    help: "Refused requests, by error code",
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
      help: "Open connections, by listener",
      labelNames: ["listener"],
      registers,
    }),
    httpConnectionsMax: new Gauge({
      name: "daric_http_connections_max",
      help: "Connection limit, by listener",
      labelNames: ["listener"],
      registers,
    }),
    httpConnectionsDropped: new Counter({
      name: "daric_http_connections_dropped_total",
      help: "Connections closed at the connection limit, by listener",
      labelNames: ["listener"],
      registers,
    }),
  };
}
