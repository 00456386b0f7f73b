import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { must, toJson } from "./config.ts";
import type { EntryTimes } from "./destinations.ts";
import { type Intent, shareKey } from "./policy.ts";

/** The content of a line of the journal. */
type JournalRecord =
  | { readonly kind: "started"; readonly by: "init" | "adopt" }
  | ({ readonly kind: "destination"; readonly counter: number } & Omit<EntryTimes, "seenMs">)
  | { readonly kind: "intent"; readonly intent: Intent };

/**
 * The signer's own record of its signatures: a file of lines, each with the hash of the previous one; and the
 * state derived from them.
 */
export type Journal = {
  readonly path: string;
  /** number, hash and time of the newest line, and the length of the file up to its end */
  seq: number;
  hash: string;
  newestMs: number;
  bytes: number;
  /** of the last two days, oldest first: no older transaction can still enter a block */
  readonly intents: (Intent & { readonly signedMs: number })[];
  readonly shares: Map<string, bigint>;
  /** the newest top-up of each address of which no sweep of a token was signed since, by index */
  readonly unusedTopUps: Map<number, Intent>;
  /** times of the entries of the operator's list, by counter */
  readonly entryTimes: Map<number, EntryTimes>;
};

const KEPT_MS = 48 * 60 * 60_000;
/** length of `,"hash":"…"}`, the end of each line */
const HASH_CHARS = 75;

function emptyJournal(path: string): Journal {
  const start = { seq: 0, hash: "0".repeat(64), newestMs: 0, bytes: 0 };
  return { path, ...start, intents: [], shares: new Map(), unusedTopUps: new Map(), entryTimes: new Map() };
}

/** Begins a journal. @throws Error if there is one. */
export function createJournal(path: string, by: "init" | "adopt", atMs: number): void {
  writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  appendRecord(emptyJournal(path), { kind: "started", by }, atMs);
}

/**
 * Writes a line and returns when it is on the disk.
 *
 * @throws Error if the write failed, or another process writes to the file: nothing is signed then, and the
 * process ends.
 */
export function appendRecord(journal: Journal, record: JournalRecord, atMs: number): void {
  const at = new Date(atMs).toISOString();
  const content = { seq: journal.seq + 1, at, previous: journal.hash, ...record };
  const body = toJson(content);
  const line = `${body.slice(0, -1)},"hash":"${hashOf(body)}"}`;
  appendFileSync(journal.path, `${line}\n`, { flush: true });
  remember(journal, line, { ...record, at });
  // A second writer has moved the end of the file: both processes detect it here, before they sign.
  const { size } = statSync(journal.path);
  must(size === journal.bytes, "journal.jsonl was written by another process");
}

/**
 * Reads the journal and proves its chain. An incomplete last line comes from a crash before its signature,
 * and is left out.
 *
 * @throws SignerError with the line that was changed, added or removed; and without a journal.
 */
export async function readJournal(path: string): Promise<Journal> {
  must(existsSync(path), "journal.jsonl is missing: `daric-signer adopt` begins one");
  const journal = emptyJournal(path);
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) readLine(journal, line);
  }
  must(journal.seq > 0, "journal.jsonl is empty: delete it, and run `daric-signer adopt`");
  return journal;
}

/**
 * Opens the journal for writing, and removes an incomplete last line. @throws SignerError like `readJournal`.
 */
export async function openJournal(path: string): Promise<Journal> {
  const journal = await readJournal(path);
  truncateSync(path, journal.bytes);
  return journal;
}

function readLine(journal: Journal, line: string): void {
  const place = `journal.jsonl line ${journal.seq + 1}`;
  const body = `${line.slice(0, -HASH_CHARS)}}`;
  const isWhole = line.slice(-HASH_CHARS) === `,"hash":"${hashOf(body)}"}`;
  must(isWhole, `${place} was changed: its hash is not that of its content`);
  const content = JSON.parse(body, (key, value) => (key === "units" ? BigInt(value) : value));
  const isNext = content.seq === journal.seq + 1 && content.previous === journal.hash;
  must(isNext, `${place} does not follow the line before: one was added or taken out`);
  remember(journal, line, content);
}

function remember(journal: Journal, line: string, record: JournalRecord & { readonly at: string }): void {
  const atMs = Date.parse(record.at);
  journal.seq += 1;
  journal.hash = line.slice(-66, -2);
  journal.newestMs = atMs;
  journal.bytes += Buffer.byteLength(line) + 1;
  if (record.kind === "destination") {
    const { counter, digest, actsFromMs } = record;
    journal.entryTimes.set(counter, { digest, actsFromMs, seenMs: atMs });
  }
  if (record.kind !== "intent") return;
  const { day, kind, merchantId, index, currency, recipient, units } = record.intent;
  const { intents, shares, unusedTopUps } = journal;
  intents.push({ ...record.intent, signedMs: atMs });
  while (intents[0] !== undefined && intents[0].signedMs < atMs - KEPT_MS) intents.shift();
  if (kind === "top_up") unusedTopUps.set(index, record.intent);
  if (kind === "sweep" && currency !== "TRX") unusedTopUps.delete(index);
  const key = shareKey(day.slice(0, 7), merchantId, currency);
  if (recipient === "operator") shares.set(key, (shares.get(key) ?? 0n) + units);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
