import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { ApiApp } from "@daric/http/api-app";
import type { OpenApiDocument } from "../../../apps/daric/scripts/openapi/openapi-document.ts";
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
  const text = readFileSync(new URL("../../../clients/typescript/openapi.json", import.meta.url), "utf8");
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

/** The checks by the documents that the sources make: once, since it takes longer than the tests of an app. */
let checks: Promise<Record<"api" | "dashboard", AnswerCheck>> | undefined;

async function makeChecks(): Promise<Record<"api" | "dashboard", AnswerCheck>> {
  const { makeOpenApiDocuments } = await import("../../../apps/daric/scripts/openapi/make-documents.ts");
  const { api, dashboard } = await makeOpenApiDocuments();
  return { api: createAnswerCheck(api), dashboard: createAnswerCheck(dashboard) };
}

function watch(app: ApiApp): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const isOfApi = app.hasRoute({ method: "GET", url: "/openapi.json" });
    if (!isOfApi || !isText(payload) || isRefusedPerson(request, reply.statusCode)) return payload;
    checks ??= makeChecks();
    const { api, dashboard } = await checks;
    const [path = ""] = request.url.split("?");
    const isOfPeople = request.routeOptions.url?.startsWith("/dashboard/v1/") === true;
    record(isOfPeople ? dashboard : api, {
      method: request.method,
      path,
      status: reply.statusCode,
      headers: reply.getHeaders(),
      body: String(payload ?? ""),
    });
    return payload;
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
