import { createServer } from "node:net";
import { apiConnections } from "@daric/http/connections";
import type { Role } from "@daric/runtime/setting";
import { variableOf } from "../process/config.ts";
import { type Trial, untried } from "./config-findings.ts";
import type { ReadValues } from "./validate-settings.ts";

const PROBE_MS = 1_000;

/** Tries whether these roles can listen on their ports, and whether the limit of open files fits. */
export async function tryMachine({ http }: ReadValues, roleNames: readonly Role[]): Promise<Trial[]> {
  const metrics = { host: http.metricsHost, port: http.metricsPort, setting: variableOf("http.metricsPort") };
  const api = { host: http.host, port: http.port, setting: variableOf("http.port") };
  const isApi = roleNames.includes("api");
  const isTwice =
    isApi && http.port !== 0 && http.port === http.metricsPort && doCollide(http.host, http.metricsHost);
  // One after the other: each trial frees its port again.
  const trials = [...(isApi ? [await tryPort(api)] : []), await tryPort(metrics)];
  const twice: Trial = {
    trial: "ports",
    verdict: "fault",
    words: `${api.setting} and ${metrics.setting} are the same`,
  };
  const files = isApi ? tryFiles(apiConnections(http.maxConnections)) : [];
  return [...trials, ...(isTwice ? [twice] : []), ...files];
}

/** Whether two listeners collide on one port: an unspecified address includes all others. */
function doCollide(one: string, other: string): boolean {
  const hosts = [one, other];
  const isEverywhere = hosts.includes("::") || (hosts.includes("0.0.0.0") && !`${one}${other}`.includes(":"));
  return one === other || isEverywhere;
}

type Place = { readonly host: string; readonly port: number; readonly setting: string };

async function tryPort({ host, port, setting }: Place): Promise<Trial> {
  if (host === undefined || port === undefined) return untried(setting, "host and port cannot be read");
  const trial = `${setting} ${port} on ${host}`;
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return { trial, verdict: "OK", words: "is free" };
  if (code !== "EADDRINUSE") return { trial, verdict: "fault", words: reasonOf(code) };
  return (await isServed(host, port))
    ? {
        trial,
        verdict: "doubtful",
        words: "is held by a service that answers /healthz: this one, if it runs already",
      }
    : { trial, verdict: "fault", words: "is in use already" };
}

function reasonOf(code: string): string {
  if (code === "EACCES") return "this user may not listen there";
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return "that is no address of this machine";
  return `cannot be listened on (${code})`;
}

async function isServed(host: string, port: number): Promise<boolean> {
  const name = host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
    return (await response.text()).trim() === '{"status":"ok"}';
  } catch {
    return false;
  }
}

/**
 * Compares the connection limit with the limit of open files. No finding if the system does not report that
 * limit.
 */
export function tryFiles({ max, wanted, openFiles }: ReturnType<typeof apiConnections>): Trial[] {
  if (!Number.isFinite(openFiles)) return [];
  const trial = "open files (ulimit -n)";
  if (max >= wanted) return [{ trial, verdict: "OK", words: String(openFiles) }];
  const setting = variableOf("http.maxConnections");
  return [
    {
      trial,
      verdict: "doubtful",
      words: `${openFiles} leave room for ${max} connections, not for the ${wanted} of ${setting}`,
    },
  ];
}
