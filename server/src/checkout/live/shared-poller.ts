import { createHash } from "node:crypto";
import type { ContextOf } from "../../runtime/context.ts";

/** How often is looked while somebody follows, and once that has failed. */
const EVERY_MS = 500;
const EVERY_MS_AFTER_FAILURE = 2_000;
/** Those who come together are looked for together: a hint and a new follower wait so long for others. */
const GATHER_MS = 50;
/** Whoever asks is answered from memory where what is there was looked at within this time: never older than a second. */
const FRESH_MS = 800;
/** Tokens that are remembered at most without a follower: some kB each. */
const MAX_CACHED = 10_000;
/** Checkouts of one statement, and such statements at the same time: while one is told, the next is read. */
const MOST_READ = 250;
const READS_AT_ONCE = 2;

type Options = {
  readonly clock: ContextOf["clock"];
  /** The tokens that are not shown in these versions any more: one statement, however many there are. */
  readonly findChanged: (
    tokens: readonly string[],
    versions: readonly string[],
  ) => Promise<readonly string[]>;
  /** What is shown of these tokens, but for those of no charge and of one that cannot be shown. */
  readonly read: (tokens: readonly string[]) => Promise<ReadonlyMap<string, ShownCheckout>>;
  readonly onFailure: (error: unknown) => void;
};

/** One look for all who want to know what is shown of a token. */
export type SharedPoller = {
  /**
   * Tells what is shown now, and again after every change, within a second of its commit in whatever process; answers how
   * to end it. The same text again says that something changed which it does not tell.
   */
  subscribe(token: string, notify: Notify): () => void;
  /** What is shown of a token, not older than a second; undefined where it has to be read. */
  recall(token: string): Promise<string | undefined>;
  /** Takes what was read of a token; `readMs` is when the read began. */
  keep(token: string, shown: ShownCheckout, readMs: number): void;
  /** What is remembered of the token counts for nothing any more. */
  forget(token: string): void;
  /** Looks soon instead of with the next half second, where anybody follows. */
  wake(): void;
  stop(): void;
};

/**
 * Asks the database every half second what has changed of all tokens that are followed, as long as any is, and reads what
 * has. Without a follower it asks where somebody asks it: one such question is of all tokens that were asked for lately.
 */
export function createSharedPoller(options: Options): SharedPoller {
  const { clock } = options;
  const entries: Entries = new Map();
  let followed = 0;
  let verifying: Promise<void> | undefined;

  function verifyOnce(): Promise<void> {
    verifying ??= verify(entries, options).finally(() => {
      verifying = undefined;
    });
    return verifying;
  }

  async function step(): Promise<number | undefined> {
    const isDone = await verifyOnce()
      .then(() => readDue(entries, options))
      .then(() => true)
      .catch(options.onFailure);
    if (followed === 0) return undefined;
    return isDone ? EVERY_MS : EVERY_MS_AFTER_FAILURE;
  }

  const alarm = createPollTimer(clock, step);
  const wake = (): void => {
    if (followed > 0) alarm.within(GATHER_MS);
  };

  return {
    subscribe(token, notify) {
      followed += 1;
      const leave = addSubscriber(entries, token, notify);
      wake();
      return () => {
        if (!leave()) return;
        followed -= 1;
        if (followed === 0) alarm.stop();
      };
    },
    async recall(token) {
      const entry = entries.get(token);
      if (entry?.json === undefined) return undefined;
      entry.queriedMs = clock.monotonicMs();
      const isFresh = () => clock.monotonicMs() - entry.foundMs < FRESH_MS;
      if (!isFresh()) await verifyOnce();
      return isFresh() ? entry.json : undefined;
    },
    keep(token, shown, readMs) {
      if (!entries.has(token) && entries.size - followed >= MAX_CACHED) return;
      entryOf(entries, token).queriedMs = clock.monotonicMs();
      settle(entries, token, { shown, readMs });
    },
    forget(token) {
      setAside(entries, token, clock.monotonicMs());
      wake();
    },
    wake,
    stop: alarm.stop,
  };
}

/** Finds out what has changed of all that is known. */
async function verify(entries: Entries, { clock, findChanged }: Options): Promise<void> {
  const startedMs = clock.monotonicMs();
  forgetOld(entries, startedMs);
  const known = [...entries].filter(([, { version, isDue }]) => version !== undefined && !isDue);
  if (known.length === 0) return;
  const tokens = known.map(([token]) => token);
  const versions = known.map(([, { version }]) => version ?? "");
  const changed = new Set(await findChanged(tokens, versions));
  for (const [token, entry] of known) {
    if (changed.has(token)) setAside(entries, token, startedMs);
    else entry.foundMs = Math.max(entry.foundMs, startedMs);
  }
}

/** Reads what has changed, or is not known yet, of tokens that somebody follows. */
async function readDue(entries: Entries, { clock, read }: Options): Promise<void> {
  const due = [...entries].filter(([, { isDue }]) => isDue).map(([token]) => token);
  const readOn = async (): Promise<void> => {
    for (let part = due.splice(0, MOST_READ); part.length > 0; part = due.splice(0, MOST_READ)) {
      const readMs = clock.monotonicMs();
      const shown = await read(part);
      for (const token of part) settle(entries, token, { shown: shown.get(token), readMs });
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
}

/** Answers how to take him away again, which answers whether he was still there. */
function addSubscriber(entries: Entries, token: string, notify: Notify): () => boolean {
  const entry = entryOf(entries, token);
  const subscriber = { notify, isNotified: false };
  entry.subscribers = [...entry.subscribers, subscriber];
  entry.isDue = true;
  return () => {
    if (!entry.subscribers.includes(subscriber)) return false;
    entry.subscribers = entry.subscribers.filter((other) => other !== subscriber);
    if (entry.subscribers.length === 0 && entry.json === undefined) entries.delete(token);
    return true;
  };
}

/** What a payer is shown, as JSON, and a text that differs whenever the page may. */
export type ShownCheckout = { readonly json: string; readonly version: string };

/** Is given what is shown of its token now, with its version; undefined where no charge has the token or it cannot be shown. */
export type Notify = (json: string | undefined, version: string | undefined) => void;

/** A version as a page carries it: whether it is another one is all that it tells. */
export function versionTag(version: string): string {
  return createHash("sha256").update(version).digest("base64url").slice(0, TAG_CHARS);
}

/** What nobody has asked for during this time is forgotten; it is longer than a page waits that is polled slowly. */
const CACHED_MS = 20_000;
const TAG_CHARS = 12;

/** Somebody who is told of every change, and whether he was told how it stood when he came. */
type PageSubscriber = { readonly notify: Notify; isNotified: boolean };

/** What is known of a token. */
type Entry = {
  /** what is shown now has it, as far as is known */
  version: string | undefined;
  /** kept for a time for those who ask */
  json: string | undefined;
  /** when a look or a read began that found it like this */
  foundMs: number;
  queriedMs: number;
  /** read at the next look, whatever its version */
  isDue: boolean;
  subscribers: readonly PageSubscriber[];
};
type Entries = Map<string, Entry>;

/** The entry of this token, which is new where nothing is known of it. */
function entryOf(entries: Entries, token: string): Entry {
  const entry = entries.get(token) ?? {
    version: undefined,
    json: undefined,
    foundMs: Number.NEGATIVE_INFINITY,
    queriedMs: Number.NEGATIVE_INFINITY,
    isDue: false,
    subscribers: [],
  };
  entries.set(token, entry);
  return entry;
}

/** Takes what was read, unless it is older than what is known; tells it to whoever has not been told. */
function settle(
  entries: Entries,
  token: string,
  { shown, readMs }: { shown: ShownCheckout | undefined; readMs: number },
): void {
  const entry = entries.get(token);
  if (entry === undefined || readMs < entry.foundMs) return;
  const isChanged = entry.version !== shown?.version;
  entry.version = shown?.version;
  entry.json = readMs - entry.queriedMs < CACHED_MS ? shown?.json : undefined;
  entry.foundMs = readMs;
  entry.isDue = false;
  for (const subscriber of entry.subscribers) {
    if (subscriber.isNotified && !isChanged) continue;
    subscriber.isNotified = true;
    subscriber.notify(shown?.json, shown?.version);
  }
}

/** What was read before this time does not count any more; it is read again where somebody follows. */
function setAside(entries: Entries, token: string, nowMs: number): void {
  const entry = entries.get(token);
  if (entry === undefined) return;
  entry.json = undefined;
  entry.foundMs = nowMs;
  entry.isDue = true;
  if (entry.subscribers.length === 0) entries.delete(token);
}

/** Forgets what nobody has asked for of late. */
function forgetOld(entries: Entries, nowMs: number): void {
  for (const [token, entry] of entries) {
    if (nowMs - entry.queriedMs < CACHED_MS) continue;
    entry.json = undefined;
    if (entry.subscribers.length === 0) entries.delete(token);
  }
}

/** What is done again and again for as long as it wants to be, never twice at the same time. */
type PollTimer = {
  /** Does it within so many milliseconds, from the start of the last time on; a time that is earlier already stays. */
  within(ms: number): void;
  /** Does it no more, until it is asked for again. What is under way ends. */
  stop(): void;
};

/** `step` answers how many milliseconds after its start it is to be done again; undefined where it need not. */
function createPollTimer(clock: ContextOf["clock"], step: () => Promise<number | undefined>): PollTimer {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let startedMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;

  function arm(): void {
    clearTimeout(timer);
    if (isRunning || dueMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(run, Math.max(0, dueMs - clock.monotonicMs()));
  }

  async function run(): Promise<void> {
    isRunning = true;
    dueMs = Number.POSITIVE_INFINITY;
    startedMs = clock.monotonicMs();
    const againMs = await step();
    isRunning = false;
    if (againMs !== undefined) dueMs = Math.min(dueMs, startedMs + againMs);
    arm();
  }

  return {
    within(ms) {
      const wantedMs = Math.max(startedMs, clock.monotonicMs()) + ms;
      if (wantedMs >= dueMs) return;
      dueMs = wantedMs;
      arm();
    },
    stop() {
      dueMs = Number.POSITIVE_INFINITY;
      arm();
    },
  };
}
