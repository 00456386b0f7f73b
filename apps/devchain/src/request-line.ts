import type { AnsweredCall } from "./http/http-server.ts";
import { parseJsonObject } from "./http/json-text.ts";

/** Longer answers are blocks and lists, not errors. */
const MAX_ERROR_CHARS = 2_000;
/** A message of a node, which is hex unless the request has `visible`. */
const HEX_TEXT = /^([0-9a-f]{2})+$/;

/** One line for a request: method, path, status, milliseconds, and the reason of a refusal. */
export function requestLine({ method, path, requestBody, status, body, ms }: AnsweredCall): string {
  const called = path === "/jsonrpc" ? `${path} ${rpcMethods(requestBody)}` : path;
  const reason = refusalIn(body);
  return `${method} ${called} → ${status}, ${Math.round(ms)} ms${reason === "" ? "" : `: ${reason}`}`;
}

function rpcMethods(body: string): string {
  return [...body.matchAll(/"method"\s*:\s*"(\w+)"/g)].map(([, name]) => name).join(" ");
}

/** Why an answer refuses its request, as each of the APIs says it; "" for any other answer. */
function refusalIn(body: string): string {
  if (body.length > MAX_ERROR_CHARS) return "";
  const { Error: text, error, result, code, message } = parseJsonObject(body) ?? {};
  if (typeof text === "string") return text;
  if (typeof error === "string") return error;
  if (isTree(error)) return `${String(error.code)} ${String(error.message)}`;
  if (isTree(result)) return refusalIn(JSON.stringify(result));
  const isRefusal = typeof code === "string" && code !== "SUCCESS";
  return isRefusal ? `${code} ${readable(message)}` : "";
}

function readable(message: unknown): string {
  if (typeof message !== "string") return "";
  return HEX_TEXT.test(message) ? Buffer.from(message, "hex").toString() : message;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
