import { DaricError } from "./daric-error.ts";
import type {
  AnswerOf,
  AnyOperation,
  CallOptions,
  CursorPage,
  DownloadedFile,
  DownloadOperation,
  InputOf,
  ListOperation,
  ListPage,
  Operation,
  RowOf,
} from "./operation.ts";
import { type Answered, type ReadAnswer, readAnswer, readDownload, unreachable } from "./read-answer.ts";
import { isRepeatable, retryWaitMs } from "./retry-policy.ts";
import { type Settings, timeoutOf } from "./settings.ts";
import { pause, withTimeout } from "./timeout.ts";

/** The limit of a try of a file, which has any number of rows. */
const FILE_TIMEOUT_MS = 120_000;

type Parts = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };

/** A call, and how its answer is read. */
type Sent<Read> = {
  readonly operation: AnyOperation;
  readonly input: Parts;
  readonly options: CallOptions;
  readonly read: (answered: Answered) => Read | DaricError;
};

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
    const { data } = await this.#envelope(name, input, options);
    return data as AnswerOf<Name>;
  }

  /**
   * One page of a list.
   *
   * @throws DaricError if the service refuses, cannot be reached or does not answer in time.
   */
  async page<Name extends ListOperation>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
    const { data, meta } = await this.#envelope(name, input, options);
    return { data, meta } as ListPage<RowOf<Name>>;
  }

  /**
   * One page of a feed, with its cursor.
   *
   * @throws DaricError if the service refuses, cannot be reached or does not answer in time.
   */
  async feed<Name extends ListOperation>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
    const { data, meta } = await this.#envelope(name, input, options);
    return { data, meta } as CursorPage<RowOf<Name>>;
  }

  /**
   * The file that the service answers.
   *
   * @throws DaricError if it refuses, cannot be reached, answers no file or not in time.
   */
  download(name: DownloadOperation, input: Parts, options: CallOptions = {}): Promise<DownloadedFile> {
    const timeoutMs = options.timeoutMs ?? Math.max(FILE_TIMEOUT_MS, this.#settings.timeoutMs);
    return this.#send({ operation: name, input, options: { ...options, timeoutMs }, read: readDownload });
  }

  async #envelope(operation: Operation, input: Parts, options: CallOptions): Promise<ReadAnswer["envelope"]> {
    const { envelope, unknownFields } = await this.#send({ operation, input, options, read: readAnswer });
    if (unknownFields !== null)
      this.#settings.warn(`Daric ignored unknown fields of ${operation}: ${unknownFields}`);
    return envelope;
  }

  async #send<Read>(sent: Sent<Read>): Promise<Read> {
    const { operation, input, options } = sent;
    const { maxRetries } = this.#settings;
    for (let tries = 1; ; tries += 1) {
      options.signal?.throwIfAborted();
      const outcome = await this.#try(sent);
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
  async #try<Read>({ operation, input, options, read }: Sent<Read>): Promise<Read | DaricError> {
    const { environment, baseUrl } = this.#settings;
    const answer = await this.#fetch(operation, this.#request(operation, input, options), options);
    if (answer instanceof DaricError) return answer;
    return read({ operation, environment, baseUrl, ...answer });
  }

  /** Fetches the response with its body, or returns the failure. */
  async #fetch(operation: AnyOperation, request: Prepared, options: CallOptions) {
    const { fetch, baseUrl } = this.#settings;
    const limit = {
      timeoutMs: timeoutOf(options.timeoutMs) ?? this.#settings.timeoutMs,
      signal: options.signal,
    };
    try {
      return await withTimeout(limit, async (signal) => {
        const response = await fetch(request.url, { ...request.init, signal });
        return { response, content: new Uint8Array(await response.arrayBuffer()) };
      });
    } catch (cause) {
      options.signal?.throwIfAborted();
      return unreachable({ operation, baseUrl, timeoutMs: limit.timeoutMs, cause });
    }
  }

  #request(operation: AnyOperation, input: Parts, options: CallOptions): Prepared {
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

  /** No key is sent where none is needed: a token or a code is its own credential, and currencies are public. */
  #identity(operation: AnyOperation): Record<string, string> {
    const { apiKey, userAgent } = this.#settings;
    const agent: Record<string, string> = userAgent === undefined ? {} : { "user-agent": userAgent };
    if (/^\w+ \/v1\/(?:(?:checkout|links|refund-claims)\/|currencies$|shop-connections$)/.test(operation))
      return agent;
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
