import { createHash } from "node:crypto";
import type { ContextOf } from "./context.ts";

/** The poll interval while there are subscribers, also after a failure. */
const EVERY_MS = 500;
const EVERY_MS_AFTER_FAILURE = 2_000;
/** A wake-up and a new subscriber wait this long, so that simultaneous ones share a poll. */
const GATHER_MS = 50;
/** A cached answer is served this long after its last check, so it is never older than a second. */
const FRESH_MS = 800;
/** The most keys that are cached without a subscriber: some kB each. */
const MAX_CACHED = 10_000;
/** The most keys of one statement. */
const MAX_READ = 250;
const READS_AT_ONCE = 2;

type Options = {
  readonly clock: ContextOf["clock"];
  /** The keys whose version is no longer the given one, by one statement for any number. */
  readonly findChanged: (keys: readonly string[], versions: readonly string[]) => Promise<readonly string[]>;
  /** Reads the states of these keys, without unknown keys and invalid records. */
  readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, ShownState>>;
  readonly onFailure: (error: unknown) => void;
};

/** One poll of the database for all subscribers and callers. */
export type SharedPoller = {
  /**
   * Notifies of the current state, and again after every change, within a second of its commit in any
   * process. Returns a function that ends this. A repeated text means a change outside the text.
   */
  subscribe(key: string, notify: Notify): () => void;
  /** The state of a key, at most a second old; undefined if it must be read. */
  recall(key: string): Promise<ShownState | undefined>;
  /** Stores a read of a key; `readMs` is the time when the read began. */
  keep(key: string, shown: ShownState, readMs: number): void;
  /** Drops the stored state of the key. */
  forget(key: string): void;
  /** Polls soon instead of at the next half second, if there are subscribers. */
  wake(): void;
  stop(): void;
};

/**
 * Polls the changes of all subscribed keys every half second while there are any, and reads the changed
 * ones. Without a subscriber it polls on demand: one such poll covers all recently used keys.
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
    subscribe(key, notify) {
      followed += 1;
      const leave = addSubscriber(entries, key, notify);
      wake();
      return () => {
        if (!leave()) return;
        followed -= 1;
        if (followed === 0) alarm.stop();
      };
    },
    async recall(key) {
      const entry = entries.get(key);
      if (entry?.json === undefined) return undefined;
      entry.queriedMs = clock.monotonicMs();
      const isFresh = () => clock.monotonicMs() - entry.foundMs < FRESH_MS;
      if (!isFresh()) await verifyOnce();
      const { json, version } = entry;
      return isFresh() && json !== undefined && version !== undefined ? { json, version } : undefined;
    },
    keep(key, shown, readMs) {
      if (!entries.has(key) && entries.size - followed >= MAX_CACHED) return;
      entryOf(entries, key).queriedMs = clock.monotonicMs();
      settle(entries, key, { shown, readMs });
    },
    forget(key) {
      invalidateReads(entries, key, clock.monotonicMs());
      wake();
    },
    wake,
    stop: alarm.stop,
  };
}

/** Checks all known keys for changes. */
async function verify(entries: Entries, { clock, findChanged }: Options): Promise<void> {
  const startedMs = clock.monotonicMs();
  forgetOld(entries, startedMs);
  const known = [...entries].filter(([, { version, isDue }]) => version !== undefined && !isDue);
  if (known.length === 0) return;
  const keys = known.map(([key]) => key);
  const versions = known.map(([, { version }]) => version ?? "");
  const changed = new Set(await findChanged(keys, versions));
  for (const [key, entry] of known) {
    if (changed.has(key)) invalidateReads(entries, key, startedMs);
    else entry.foundMs = Math.max(entry.foundMs, startedMs);
  }
}

/** Reads the changed and unknown keys that have subscribers. */
async function readDue(entries: Entries, { clock, read }: Options): Promise<void> {
  const due = [...entries].filter(([, { isDue }]) => isDue).map(([key]) => key);
  const readOn = async (): Promise<void> => {
    for (let part = due.splice(0, MAX_READ); part.length > 0; part = due.splice(0, MAX_READ)) {
      const readMs = clock.monotonicMs();
      const shown = await read(part);
      for (const key of part) settle(entries, key, { shown: shown.get(key), readMs });
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
}

/** Returns a function that removes the subscriber, and whether it was there. */
function addSubscriber(entries: Entries, key: string, notify: Notify): () => boolean {
  const entry = entryOf(entries, key);
  const subscriber = { notify, isNotified: false };
  entry.subscribers = [...entry.subscribers, subscriber];
  entry.isDue = true;
  return () => {
    if (!entry.subscribers.includes(subscriber)) return false;
    entry.subscribers = entry.subscribers.filter((present) => present !== subscriber);
    if (entry.subscribers.length === 0 && entry.json === undefined) entries.delete(key);
    return true;
  };
}

/** The JSON for the page, and a text that changes whenever the page may. */
export type ShownState = { readonly json: string; readonly version: string };

/**
 * Receives the current JSON of its key with its version; undefined for an unknown key or an invalid
 * record.
 */
export type Notify = (json: string | undefined, version: string | undefined) => void;

/** The version in a page: it reveals only whether something changed. */
export function versionTag(version: string): string {
  return createHash("sha256").update(version).digest("base64url").slice(0, TAG_CHARS);
}

/** Unused keys are forgotten after this time, which is longer than a slow page's poll. */
const CACHED_MS = 20_000;
const TAG_CHARS = 12;

/** A subscriber, and whether it got the initial state. */
type PageSubscriber = { readonly notify: Notify; isNotified: boolean };

/** The known state of a key. */
type Entry = {
  /** the last known version */
  version: string | undefined;
  /** cached for later callers */
  json: string | undefined;
  /** the start of the check or read with this result */
  foundMs: number;
  queriedMs: number;
  /** read at the next poll, whatever its version */
  isDue: boolean;
  subscribers: readonly PageSubscriber[];
};
type Entries = Map<string, Entry>;

/** The entry of this key, created if needed. */
function entryOf(entries: Entries, key: string): Entry {
  const entry = entries.get(key) ?? {
    version: undefined,
    json: undefined,
    foundMs: Number.NEGATIVE_INFINITY,
    queriedMs: Number.NEGATIVE_INFINITY,
    isDue: false,
    subscribers: [],
  };
  entries.set(key, entry);
  return entry;
}

/** Stores a read unless a newer one is known, and notifies subscribers that have not got it. */
function settle(
  entries: Entries,
  key: string,
  { shown, readMs }: { shown: ShownState | undefined; readMs: number },
): void {
  const entry = entries.get(key);
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

/** Invalidates reads from before this time; keys with subscribers are read again. */
function invalidateReads(entries: Entries, key: string, nowMs: number): void {
  const entry = entries.get(key);
  if (entry === undefined) return;
  entry.json = undefined;
  entry.foundMs = nowMs;
  entry.isDue = true;
  if (entry.subscribers.length === 0) entries.delete(key);
}

/** Forgets unused keys. */
function forgetOld(entries: Entries, nowMs: number): void {
  for (const [key, entry] of entries) {
    if (nowMs - entry.queriedMs < CACHED_MS) continue;
    entry.json = undefined;
    if (entry.subscribers.length === 0) entries.delete(key);
  }
}

/** Repeats a step on demand, never twice at the same time. */
type PollTimer = {
  /** Runs the step at most this many milliseconds after its last start; an earlier time stays. */
  within(ms: number): void;
  /** Stops until the next call of `within`. A running step finishes. */
  stop(): void;
};

/** `step` returns the milliseconds from its start to the next run; undefined for none. */
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
