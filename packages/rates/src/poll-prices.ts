import { currencies } from "@daric/domain/asset";
import type { LocalCurrency } from "@daric/domain/fiat";
import type { RatesContext } from "./context.ts";
import { type Feed, type RatePace, startFeed } from "./feed.ts";
import { isAnswered, type SourceState } from "./rate-verdict.ts";
import { openSource } from "./source-host.ts";
import { type ChosenSources, isCoin, type Priced, pairOf, priceableOf } from "./sources.ts";

/** The running feeds: of the coins and of currencies of books always. Another currency has them until an hour after its last request. */
export type Polling = {
  polled(): readonly Priced[];
  feedsOf(priced: Priced): readonly Feed[];
  statesOf(priced: Priced): readonly SourceState[];
  /** whether every source has answered or failed */
  isSettled(priced: Priced): boolean;
  /** Polls a currency for an hour from now; true if it was not polled. */
  ask(local: LocalCurrency): boolean;
  /** Polls the currencies of merchants' books that can be priced, as long as they are named; returns those that were not polled. */
  keepBooks(named: readonly LocalCurrency[]): readonly LocalCurrency[];
  /** whether it is of books, or a request asked for it in the last minute */
  isAsked(local: LocalCurrency): boolean;
  /** Ends the polling of currencies that are not of books and that no request asked for in the last hour. */
  endUnwanted(): void;
  stop(): Promise<void>;
};

const WANTED_MS = 3_600_000;
const ASKED_MS = 60_000;

/** Starts to poll the sources of the coins. */
export function startPolling(
  context: RatesContext,
  { sources, pace }: { readonly sources: ChosenSources; readonly pace: RatePace },
): Polling {
  const { clock } = context;
  const start = (priced: Priced) => startFeeds(context, { priced, sources, pace });
  const feeds = new Map<Priced, readonly Feed[]>(currencies.map((coin) => [coin, start(coin)]));
  const askedMs = new Map<Priced, number>();
  const books = new Set<Priced>();
  const priceable = priceableOf(sources);
  const ending = new Set<Promise<void>>();
  const feedsOf = (priced: Priced) => feeds.get(priced) ?? [];
  const statesOf = (priced: Priced) => feedsOf(priced).map((feed) => feed.state());
  const isAskedWithin = (priced: Priced, ms: number) =>
    clock.monotonicMs() - (askedMs.get(priced) ?? Number.NEGATIVE_INFINITY) <= ms;

  function end(priced: Priced): void {
    const done = stopAll(feedsOf(priced)).finally(() => ending.delete(done));
    ending.add(done);
    feeds.delete(priced);
  }

  /** True if it was not polled. */
  function begin(local: LocalCurrency): boolean {
    const isNew = !feeds.has(local);
    if (isNew) feeds.set(local, start(local));
    return isNew;
  }

  return {
    polled: () => [...feeds.keys()],
    feedsOf,
    statesOf,
    isSettled: (priced) => statesOf(priced).every(isAnswered),
    ask: (local) => {
      askedMs.set(local, clock.monotonicMs());
      return begin(local);
    },
    keepBooks: (named) => {
      const kept = named.filter((local) => priceable.includes(local));
      books.clear();
      for (const local of kept) books.add(local);
      return kept.filter(begin);
    },
    isAsked: (local) => books.has(local) || isAskedWithin(local, ASKED_MS),
    endUnwanted: () => {
      for (const priced of feeds.keys())
        if (!isCoin(priced) && !books.has(priced) && !isAskedWithin(priced, WANTED_MS)) end(priced);
    },
    stop: async () => {
      await Promise.all([stopAll([...feeds.values()].flat()), ...ending]);
    },
  };
}

async function stopAll(feeds: readonly Feed[]): Promise<void> {
  await Promise.all(feeds.map((feed) => feed.stop()));
}

type FeedOptions = { readonly priced: Priced; readonly sources: ChosenSources; readonly pace: RatePace };

function startFeeds(context: RatesContext, { priced, sources, pace }: FeedOptions): readonly Feed[] {
  return sources[priced].flatMap((source) => {
    const pair = pairOf(source, priced);
    return pair === undefined
      ? []
      : startFeed(context, { source, priced, pair, host: openSource(context, source), pace });
  });
}
