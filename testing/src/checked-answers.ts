import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "@daric/server/docs/openapi-document";
import type {} from "@daric/server/docs/serve-openapi";
import type { ApiApp } from "@daric/server/http/api-app";
import { type AnswerCheck, type ApiAnswer, createAnswerCheck } from "./answer-faults.ts";

const faults: string[] = [];
const watched = { apps: false, fetches: false };

/** Compares every response of apps in this process with their OpenAPI document from now on. */
export function watchApps(): void {
  if (watched.apps) return;
  watched.apps = true;
  subscribe("fastify.initialization", (message) => watch((message as { fastify: ApiApp }).fastify));
}

/** Compares every response that this process fetches from a local service with the document from now on. */
export function watchFetches(): void {
  if (watched.fetches) return;
  watched.fetches = true;
  const text = readFileSync(new URL("../../sdk/openapi.json", import.meta.url), "utf8");
  const check = createAnswerCheck(JSON.parse(text) as OpenApiDocument);
  const fetchAnswer = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const answer = await fetchAnswer(input, init);
    const { hostname, pathname: path } = new URL(answer.url);
    if (hostname !== "127.0.0.1" || !path.startsWith("/v1/")) return answer;
    const body = await answer
      .clone()
      .text()
      .catch(() => undefined);
    const method = (init?.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();
    const headers = Object.fromEntries(answer.headers);
    if (body !== undefined) record(check, { method, path, status: answer.status, headers, body });
    return answer;
  };
}

/** @throws Error that names every undocumented response since the last call. */
export function requireDocumentedAnswers(): void {
  const found = faults.splice(0);
  if (found.length > 0)
    throw new Error(`answers that the OpenAPI document does not describe:\n\n${found.join("\n\n")}`);
}

/**
 * Checks by operations: apps with the same operations share a document, whose creation takes longer than an app's
 * tests.
 */
const checks = new Map<string, AnswerCheck>();

function watch(app: ApiApp): void {
  const operations: string[] = [];
  let check: AnswerCheck | undefined;
  let checkOfPeople: AnswerCheck | undefined;
  app.addHook("onRoute", ({ method, url, schema }) => {
    operations.push(`${method} ${url} ${schema?.operationId ?? ""}`);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (app.hasDecorator("swagger") && isText(payload) && !isRefusedPerson(request, reply.statusCode)) {
      const { server } = request;
      const isOfPeople = server.hasDecorator("dashboardSwagger");
      if (isOfPeople) checkOfPeople ??= checkOf(["people", ...operations], () => server.dashboardSwagger());
      else check ??= checkOf(operations, () => app.swagger());
      const [path = ""] = request.url.split("?");
      const { statusCode: status } = reply;
      record((isOfPeople ? checkOfPeople : check) as AnswerCheck, {
        method: request.method,
        path,
        status,
        headers: reply.getHeaders(),
        body: String(payload ?? ""),
      });
    }
    done(null, payload);
  });
}

type Received = { readonly url: string; readonly headers: Readonly<Record<string, unknown>> };

/**
 * The document of `/v1` describes requests with a key; refusals of signed-in people are in the dashboard's
 * document.
 */
function isRefusedPerson({ url, headers }: Received, status: number): boolean {
  return (
    url.startsWith("/v1/") &&
    status >= 400 &&
    headers.cookie !== undefined &&
    headers["x-api-key"] === undefined
  );
}

function checkOf(operations: readonly string[], document: () => object): AnswerCheck {
  const key = operations.join("\n");
  const check = checks.get(key) ?? createAnswerCheck(document() as OpenApiDocument);
  checks.set(key, check);
  return check;
}

/** Streams are not part of the API. */
function isText(payload: unknown): boolean {
  return (
    typeof payload === "string" || payload instanceof Uint8Array || payload === undefined || payload === null
  );
}

function record(check: AnswerCheck, answer: ApiAnswer): void {
  faults.push(
    ...check(answer).map((fault) => `${answer.method} ${answer.path} answered ${answer.status}: ${fault}`),
  );
}
