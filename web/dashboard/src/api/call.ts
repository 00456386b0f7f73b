import { takeEarly } from "./early-answers.ts";
import type { Answer, Input, Operation, RowPage } from "./operations.ts";
import { isRefusal, Refusal, refusalOf } from "./refusal.ts";

/** The page around the calls; the shell sets it. */
type PageContext = {
  merchantId: string | undefined;
  csrfToken: string | undefined;
  /** The person of the session in view. */
  personId: string | undefined;
  /** Asks for the password again; resolves once it was accepted, rejects if the person gives up. */
  reauthenticate: (() => Promise<void>) | undefined;
  /** Called if the session has ended. */
  onSessionEnded: (() => void) | undefined;
};

export const pageContext: PageContext = {
  merchantId: undefined,
  csrfToken: undefined,
  personId: undefined,
  reauthenticate: undefined,
  onSessionEnded: undefined,
};

/** A call that takes longer has failed, as far as a person is concerned. */
const MAX_MS = 20_000;

type Parts = {
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  shownAt?: string;
};
type Envelope = { data: unknown; meta?: { total?: number | null; next?: string | null } };

/**
 * Calls the service as the signed-in person.
 *
 * @throws Refusal if the service refuses or cannot be reached.
 */
export async function call<Name extends Operation>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
  const { data } = await sendWithProof(name, input as Parts);
  return data as Answer<Name>;
}

/**
 * One page of a list.
 *
 * @throws Refusal if the service refuses or cannot be reached.
 */
export async function callPage<Name extends Operation>(
  name: Name,
  input: Input<Name>,
): Promise<RowPage<Answer<Name> extends (infer Row)[] ? Row : never>> {
  const { data, meta } = await sendWithProof(name, input as Parts);
  return { rows: data as never, total: meta?.total ?? undefined, next: meta?.next ?? undefined };
}

/** Sends a request again after what it lacked was renewed: the token, or the proof of the person. Each is renewed once. */
async function sendWithProof(
  name: Operation,
  parts: Parts,
  renewed: readonly string[] = [],
): Promise<Envelope> {
  try {
    return await send(name, parts);
  } catch (error) {
    if (isRefusal(error, "SESSION_ENDED") && !isPublic(name)) pageContext.onSessionEnded?.();
    if (!isRefusal(error) || renewed.includes(error.code)) throw error;
    if (error.code === "CSRF_REFUSED") await renewToken(error);
    else if (error.code === "REAUTHENTICATION_REQUIRED" && pageContext.reauthenticate)
      await pageContext.reauthenticate();
    else throw error;
    return sendWithProof(name, parts, [...renewed, error.code]);
  }
}

/**
 * Takes the token of the session that the person began in another tab.
 *
 * @throws the refusal if another person signed in there: a form never acts for a person that did not fill it in.
 */
async function renewToken(refusal: Refusal): Promise<void> {
  const person = await send("GET /dashboard/v1/session", {}).then(
    ({ data }) => personOf(data),
    () => undefined,
  );
  if (person === undefined || person !== pageContext.personId) throw refusal;
}

function isPublic(name: Operation): boolean {
  return /\/(sign-in|links|session)\b/.test(name);
}

async function send(name: Operation, { path = {}, query = {}, body, shownAt }: Parts): Promise<Envelope> {
  const [method = "GET", template = ""] = name.split(" ");
  const url = urlOf(template, path, query);
  const headers: Record<string, string> = { accept: "application/json" };
  if (pageContext.merchantId !== undefined) headers["x-daric-merchant"] = pageContext.merchantId;
  if (method !== "GET" && pageContext.csrfToken !== undefined)
    headers["x-csrf-token"] = pageContext.csrfToken;
  if (shownAt !== undefined) headers["x-daric-updated-at"] = shownAt;
  if (body !== undefined) headers["content-type"] = "application/json";
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const early = method === "GET" ? takeEarly(url, pageContext.merchantId) : undefined;
  const response = await reach(early ?? ask(url, init));
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || answer === undefined) throw refusalOf(response.status, answer);
  const envelope = answer as Envelope;
  keepToken(envelope.data);
  return envelope;
}

/** The address of an operation, with its parts encoded; a part without a value is left out. */
export function urlOf(
  template: string,
  path: Record<string, string>,
  query: Record<string, string | number | undefined>,
): string {
  const place = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ""));
  return place + queryOf(query);
}

/** The values as the query of an address; a value that is undefined or empty is left out. */
export function queryOf(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return given.length === 0 ? "" : `?${search}`;
}

function ask(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(MAX_MS), credentials: "same-origin" });
}

async function reach(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch {
    throw new Refusal("The server cannot be reached. Check your connection and try again.", {
      code: "UNREACHABLE",
      status: 0,
    });
  }
}

/** Each answer with the person's session has the newest token against forged requests. */
function keepToken(data: unknown): void {
  const session = sessionIn(data);
  if (
    session === undefined ||
    (pageContext.personId !== undefined && personOf(data) !== pageContext.personId)
  )
    return;
  pageContext.csrfToken = session.csrf_token;
}

type SessionPart = { readonly csrf_token: string; readonly person: { readonly id: string } };

/** The session of an answer that is one, or has one. */
function sessionIn(data: unknown): SessionPart | undefined {
  const { csrf_token: token, session } = (data ?? {}) as Partial<SessionPart> & {
    session?: SessionPart | null;
  };
  return token === undefined ? (session ?? undefined) : (data as SessionPart);
}

function personOf(data: unknown): string | undefined {
  return sessionIn(data)?.person.id;
}
