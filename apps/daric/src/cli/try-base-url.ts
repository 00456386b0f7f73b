import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Role } from "@daric/runtime/setting";
import { variableOf } from "../process/config.ts";
import type { Trial } from "./config-findings.ts";
import type { ReadValues } from "./validate-settings.ts";

const ANSWER_MS = 5_000;
const HEALTHY = '{"status":"ok"}';
const HEALTH_PATH = "/healthz";

/**
 * Requests the base URL of the payers' pages, as a payer would, and checks that it leads to `PORT` of this machine.
 * While no service has that port, the trial itself answers there. A fault is only a doubt, because a start needs no
 * proxy. No finding without a base URL or port.
 */
export async function tryBaseUrl({ http }: ReadValues, roleNames: readonly Role[]): Promise<Trial[]> {
  const { publicBaseUrl: base, host, port } = http;
  // Invalid values are undefined, whatever the type.
  if (!roleNames.includes("api") || !base || !host || !port) return [];
  const trial = `${variableOf("http.publicBaseUrl")} leads to ${variableOf("http.port")}`;
  const word = randomUUID();
  const server = await answerAt({ host, port }, word);
  try {
    const isRight = (text: string) => (server === undefined ? text.trim() === HEALTHY : text === word);
    const fault = await faultOfPage(`${base.replace(/(?<!\/)\/+$/, "")}${HEALTH_PATH}`, isRight);
    if (fault === undefined) return [{ trial, verdict: "OK", words: "yes" }];
    return [{ trial, verdict: "doubtful", words: fault }];
  } finally {
    server?.closeAllConnections();
    server?.close();
  }
}

/** The reason why a page does not open as it should, with the remedy; undefined if it does. */
async function faultOfPage(url: string, isRight: (text: string) => boolean): Promise<string | undefined> {
  const { hostname: host } = new URL(url);
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    if (response.ok && isRight(text)) return undefined;
    return `another server answers at ${host} (${response.status}): point the record of DNS to this machine, and the proxy there to ${variableOf("http.port")}`;
  } catch (error) {
    return reasonOf(host, codeOf(error));
  }
}

/** Undefined if the port cannot be opened: a service has it, or another trial names the fault. */
function answerAt(place: { host: string; port: number }, word: string): Promise<Server | undefined> {
  // A balancer must not take the trial for a ready service.
  const server = createServer(({ url }, response) =>
    url === HEALTH_PATH ? response.end(word) : response.writeHead(503).end(),
  );
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen({ ...place, exclusive: true }, () => resolve(server));
  });
}

function reasonOf(host: string, code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `DNS does not know ${host}: add a record of it that points to this machine`;
  if (code === "ECONNREFUSED") return `nothing listens at ${host}: start the proxy there`;
  if (code === "CERT_HAS_EXPIRED") return `the certificate of ${host} has expired: renew it`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `the certificate is not for ${host}: get one for this name`;
  if (code.includes("CERT") || code.includes("SIGNATURE"))
    return `browsers do not trust the certificate of ${host} (${code}): get one from a public authority`;
  return `${host} does not answer within ${ANSWER_MS / 1_000} s (${code}): check its record of DNS, and open its port in the firewall`;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.name;
  return String(cause);
}
