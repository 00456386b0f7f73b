import { DaricError } from "./daric-error.ts";
import type {
  AnswerOf,
  CallOptions,
  CursorPage,
  InputOf,
  ListOperation,
  ListPage,
  Operation,
  RowOf,
} from "./operation.ts";
import { type ReadAnswer, readAnswer, unreachable } from "./read-answer.ts";
import { isRepeatable, retryWaitMs } from "./retry-policy.ts";
import { type Settings, timeoutOf } from "./settings.ts";
import { pause, withTimeout } from "./timeout.ts";

type Parts = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };

type Prepared = { readonly url: URL; readonly init: RequestInit };

/** Sends calls to one deployment, and retries them if that is safe. */
export class Api {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * The answer of the service in its wire form.
   *
   * @throws DaricError if it refuses, cannot be reached or does not answer in time.
   */
  async call<Name extends Operation>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
    const { data } = await this.#send(name, input, options);
    return data as AnswerOf<Name>;
  }

  /**
   * One page of a list.
   *
   * @throws DaricError if the service refuses, cannot be reached or does not answer in time.
   */
  async page<Name extends ListOperation>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
    const { data, meta } = await this.#send(name, input, options);
    return { data, meta } as ListPage<RowOf<Name>>;
  }

  /**
   * One page of a feed, with its cursor.
   *
   * @throws DaricError if the service refuses, cannot be reached or does not answer in time.
   */
  async feed<Name extends ListOperation>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
    const { data, meta } = await this.#send(name, input, options);
    return { data, meta } as CursorPage<RowOf<Name>>;
  }

  async #send(operation: Operation, input: Parts, options: CallOptions): Promise<ReadAnswer["envelope"]> {
    const { maxRetries } = this.#settings;
    for (let tries = 1; ; tries += 1) {
      options.signal?.throwIfAborted();
      const outcome = await this.#try(operation, input, options);
      if (!(outcome instanceof DaricError)) return outcome;
      const circumstances = {
        tries,
        isRepeatable: isRepeatable(operation, input.body),
        random: Math.random(),
      };
      const waitMs = tries > maxRetries ? undefined : retryWaitMs(outcome, circumstances);
      if (waitMs === undefined) throw outcome;
      await pause(waitMs, options.signal);
    }
  }

  /** Makes one try and returns its answer or its failure. Only an abort by the caller is thrown. */
  async #try(operation: Operation, input: Parts, options: CallOptions) {
    const { warn, environment, baseUrl } = this.#settings;
    const answer = await this.#fetch(operation, this.#request(operation, input, options), options);
    if (answer instanceof DaricError) return answer;
    const read = readAnswer({ operation, environment, baseUrl, ...answer });
    if (read instanceof DaricError) return read;
    if (read.unknownFields !== null) {
      warn(`Daric ignored unknown fields of ${operation}: ${read.unknownFields}`);
    }
    return read.envelope;
  }

  /** Fetches the response with its text, or returns the failure. */
  async #fetch(operation: Operation, request: Prepared, options: CallOptions) {
    const { fetch, baseUrl } = this.#settings;
    const limit = {
      timeoutMs: timeoutOf(options.timeoutMs) ?? this.#settings.timeoutMs,
      signal: options.signal,
    };
    try {
      return await withTimeout(limit, async (signal) => {
        const response = await fetch(request.url, { ...request.init, signal });
        return { response, text: await response.text() };
      });
    } catch (cause) {
      options.signal?.throwIfAborted();
      return unreachable({ operation, baseUrl, timeoutMs: limit.timeoutMs, cause });
    }
  }

  #request(operation: Operation, input: Parts, options: CallOptions): Prepared {
    const [method = "", template = ""] = operation.split(" ");
    const path = template
      .slice(1)
      .replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input.path?.[name]));
    const url = new URL(path, this.#settings.baseUrl);
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: "application/json", ...this.#identity(operation) };
    if (options.correlationId !== undefined) headers["x-correlation-id"] = options.correlationId;
    // The key must not follow a redirect to another host, and no framework may cache answers about money.
    const init: RequestInit = { method, redirect: "manual", cache: "no-store" };
    if (input.body === undefined) return { url, init: { ...init, headers: new Headers(headers) } };
    headers["content-type"] = "application/json";
    return { url, init: { ...init, headers: new Headers(headers), body: JSON.stringify(input.body) } };
  }

  /** No key is sent where none is needed: a token is its own credential, and currencies are public. */
  #identity(operation: Operation): Record<string, string> {
    const { apiKey, userAgent } = this.#settings;
    const agent: Record<string, string> = userAgent === undefined ? {} : { "user-agent": userAgent };
    if (/^\w+ \/v1\/(?:(?:checkout|links|refund-claims)\/|currencies$)/.test(operation)) return agent;
    if (apiKey === undefined)
      throw new TypeError(`${operation} needs an apiKey, and this client was made without one.`);
    return { ...agent, "x-api-key": apiKey };
  }
}

/** A segment of a path. @throws TypeError for an empty segment and one of dots, which would name another resource. */
function segment(name: string, value: string | undefined): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`${name} must be the text that the service answered, not ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}
