import type { Api } from "./api.ts";
import { DaricError } from "./daric-error.ts";
import { MAX_ROWS } from "./every-row.ts";
import type { CallOptions, CursorPage, QueryOf } from "./operation.ts";
import { isPassing } from "./retry-policy.ts";
import { pause } from "./timeout.ts";
import type { ListedEvent } from "./webhook-event.ts";

const LIST = "GET /v1/events";
const POLL_MS = 1_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/** One page of events, oldest first. */
export type EventsPage = Pick<CursorPage<never>, "meta"> & { readonly data: ListedEvent[] };

export type FollowOptions = {
  /**
   * the id of the last event that you handled, or `newest` for later events only; by default the feed begins with
   * the first event
   */
  readonly after?: string | undefined;
  /** only events with these names */
  readonly types?: readonly ListedEvent["event"][] | undefined;
  /** the wait after the newest event; 1,000 by default */
  readonly pollMs?: number | undefined;
  /** ends the iteration, which then fails with the signal's reason */
  readonly signal?: AbortSignal | undefined;
  /** called for each temporary fault; the client's `warn` by default */
  readonly onFault?: ((fault: DaricError) => void) | undefined;
};

/** Every event of the merchant in one order, whether or not it was delivered. */
export class Events {
  readonly #api: Api;
  readonly #warn: (message: string) => void;

  constructor(api: Api, warn: (message: string) => void) {
    this.#api = api;
    this.#warn = warn;
  }

  /** One page, oldest first. Its `meta.next` is the `after` of the next call. */
  async list(query: QueryOf<typeof LIST> = {}, options?: CallOptions): Promise<EventsPage> {
    return (await this.#api.feed(LIST, { query }, options)) as EventsPage;
  }

  async retrieve(id: string, options?: CallOptions): Promise<ListedEvent> {
    return (await this.#api.call("GET /v1/events/{id}", { path: { id } }, options)) as ListedEvent;
  }

  /**
   * Every event after a position, and then each new one: `for await (const event of …follow({ after }))`. Keep the
   * `id` of the last event that you handled, and start again with it as `after`: no event is left out or repeated.
   *
   * An unreachable or overloaded service is waited out, up to 30 s between two calls.
   *
   * @throws DaricError for a lasting refusal: a revoked key, an unknown `after`.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<ListedEvent, void, undefined> {
    const { signal, pollMs = POLL_MS } = options;
    let after = options.after;
    for (;;) {
      const page = await this.#readOn({ ...options, after });
      yield* page.data;
      after = page.meta.next ?? undefined;
      if (!page.meta.has_more) await pause(pollMs, signal);
    }
  }

  /** The next page; retries until the service answers. */
  async #readOn({ after, types, signal, onFault }: FollowOptions): Promise<EventsPage> {
    const query = { limit: MAX_ROWS, after, types: types?.join(",") };
    for (let faults = 0; ; faults += 1) {
      try {
        return await this.list(query, { signal });
      } catch (error) {
        if (!(error instanceof DaricError && isPassing(error))) throw error;
        const report = onFault ?? (({ message }) => this.#warn(message));
        report(error);
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** faults, MAX_WAIT_MS);
        await pause(Math.max(waitMs, (error.retryAfter ?? 0) * 1_000), signal);
      }
    }
  }
}
