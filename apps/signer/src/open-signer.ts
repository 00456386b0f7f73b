import { existsSync } from "node:fs";
import { claimHome } from "@daric/postgres/embedded/home-claim";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { openAccountKeys } from "@daric/tron/keys/account-keys";
import { isHexOf, must, parseConfig } from "./config.ts";
import { type Destination, delayOf, digestOfDestination, parseDestinations } from "./destinations.ts";
import { askPassphrase, homePath, type Options, readFile, readSecret, type SignerTerminal } from "./home.ts";
import { appendRecord, openJournal } from "./journal.ts";
import { openSeed } from "./seed-file.ts";
import type { Signer } from "./sign-request.ts";

type Work = (signer: Signer) => Promise<void>;

/**
 * Opens a home and runs `work` with it; no other signer can use the home meanwhile.
 *
 * @throws SignerError for a part that is missing, truncated, changed, or of another seed.
 */
export async function withSigner(terminal: SignerTerminal, options: Options, work: Work): Promise<void> {
  const path = (name: string) => homePath(terminal, options, name);
  const config = parseConfig(readFile(path("config.json")));
  const key = readSecret(terminal, "DARIC_INTEGRITY_KEY");
  must(key === undefined || isHexOf(key, 64), "DARIC_INTEGRITY_KEY must be 64 hex characters");
  const xpub = readSecret(terminal, "ACCOUNT_XPUB");
  const claim = await claimHome(path(""));
  try {
    const journal = await openJournal(path("journal.jsonl"));
    const sealed = readFile(path("seed.enc"));
    const words = openSeed(sealed, await askPassphrase(terminal, options, "Passphrase of the seed: "));
    const keys = openAccountKeys(words, config.account);
    const own = parseAccountXpub(keys.xpub).fingerprint;
    const { xpubFingerprint } = config;
    must(own === xpubFingerprint, `seed.enc holds seed ${own}, config.json names seed ${xpubFingerprint}`);
    const service = xpub === undefined ? own : parseAccountXpub(xpub).fingerprint;
    must(own === service, `seed.enc holds seed ${own}, ACCOUNT_XPUB names seed ${service}`);
    const integrityKey = key === undefined ? undefined : Buffer.from(key, "hex");
    const list = { path: path("destinations.jsonl"), text: undefined, entries: [] };
    await work({ config, keys, journal, integrityKey, list, clock: terminal.clock });
  } finally {
    await claim.release();
  }
}

/**
 * Reads the operator's current list, adds its new entries to the journal, and returns them.
 *
 * @throws SignerError for an entry without the operator's signature, and for a list that lacks entries of the
 * journal.
 */
export function updateDestinations({ config, journal, list, clock }: Signer): readonly Destination[] {
  const text = existsSync(list.path) ? readFile(list.path) : "";
  if (text === list.text) return [];
  const entries = parseDestinations(text, config);
  const { entryTimes } = journal;
  const digests = new Map(entries.map((entry) => [entry.counter, digestOfDestination(entry, config)]));
  for (const [counter, { digest }] of entryTimes) {
    must(digests.get(counter) === digest, `destinations.jsonl lacks entry ${counter} of the journal`);
  }
  const newest = Math.max(0, ...entryTimes.keys());
  const unseen = entries.filter(({ counter }) => !entryTimes.has(counter));
  for (const entry of unseen) {
    const { counter } = entry;
    must(counter > newest, `destinations.jsonl: counter ${counter} is not above ${newest}`);
    // The clock is read once. By a second reading it may have moved, and the entry would wait for less.
    const [digest, seenMs] = [digests.get(counter) ?? "", clock()];
    const actsFromMs = seenMs + delayOf(entry, entries, config.network);
    appendRecord(journal, { kind: "destination", counter, digest, actsFromMs }, seenMs);
  }
  Object.assign(list, { text, entries });
  return unseen;
}
