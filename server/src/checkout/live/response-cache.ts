import { createHash } from "node:crypto";

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
export type PageSubscriber = { readonly notify: Notify; isNotified: boolean };

/** What is known of a token. */
export type Entry = {
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
export type Entries = Map<string, Entry>;

/** The entry of this token, which is new where nothing is known of it. */
export function entryOf(entries: Entries, token: string): Entry {
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
export function settle(
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
export function setAside(entries: Entries, token: string, nowMs: number): void {
  const entry = entries.get(token);
  if (entry === undefined) return;
  entry.json = undefined;
  entry.foundMs = nowMs;
  entry.isDue = true;
  if (entry.subscribers.length === 0) entries.delete(token);
}

/** Forgets what nobody has asked for of late. */
export function forgetOld(entries: Entries, nowMs: number): void {
  for (const [token, entry] of entries) {
    if (nowMs - entry.queriedMs < CACHED_MS) continue;
    entry.json = undefined;
    if (entry.subscribers.length === 0) entries.delete(token);
  }
}
