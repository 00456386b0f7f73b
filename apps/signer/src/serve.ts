import { existsSync, readFileSync } from "node:fs";
import { openDatabase } from "@daric/postgres/database";
import { isDatabaseUnavailable } from "@daric/postgres/errors";
import type { Database } from "@daric/postgres/sql";
import { gasKey, stakeKey } from "./build-transaction.ts";
import { must } from "./config.ts";
import { homePath, type Options, readSecret, type SignerTerminal } from "./home.ts";
import { updateDestinations, withSigner } from "./open-signer.ts";
import { type Signer, signRequest } from "./sign-request.ts";
import { findPending, saveDestination, saveOutcome, saveState } from "./store.ts";

const POLL_MS = { live: 500, devnet: 200 };
const AT_ONCE = 50;

type Serving = { readonly terminal: SignerTerminal; readonly signer: Signer; readonly db: Database };

/**
 * `daric-signer serve`: answers the requests in the database until the process ends; waits while the database
 * is unreachable.
 */
export async function serveRequests(terminal: SignerTerminal, options: Options): Promise<void> {
  const url = readSecret(terminal, "SIGNER_DATABASE_URL");
  must(url !== undefined, "SIGNER_DATABASE_URL is missing");
  const isPaused = () => existsSync(homePath(terminal, options, "paused"));
  await withSigner(terminal, options, async (signer) => {
    must(!signer.config.isOffline, "config.json says isOffline: `daric-signer sign FILE` signs");
    log(terminal, { level: "info", msg: "serving", ...identityOf(signer) });
    const db = openDatabase({ url, max: 2, applicationName: "daric-signer", onError: () => undefined });
    try {
      await serveUntilStopped({ terminal, signer, db }, isPaused);
    } finally {
      await db.close();
    }
  });
}

async function serveUntilStopped(serving: Serving, isPaused: () => boolean): Promise<void> {
  const { terminal, signer, db } = serving;
  const pollMs = signer.config.network === "devnet" ? POLL_MS.devnet : POLL_MS.live;
  const reported = new Set<number>();
  const identity = identityOf(signer);
  let isAway = false;
  while (!terminal.stopped.aborted) {
    let answered = 0;
    try {
      await reportDestinations(serving, reported);
      const { seq, hash } = signer.journal;
      await saveState(db, { ...identity, isPaused: isPaused(), journal: { seq, hash } });
      answered = isPaused() ? 0 : await answerRequests(serving);
      isAway = false;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      const said = { level: "warn", event: "database_unreachable", msg: "waiting for the database" };
      if (!isAway) log(terminal, { ...said, reason: Object(error).message });
      isAway = true;
    }
    if (answered < AT_ONCE) await terminal.sleep(pollMs);
  }
}

/** Reads the operator's list, and reports each new entry to the service once. */
async function reportDestinations({ terminal, signer, db }: Serving, reported: Set<number>): Promise<void> {
  for (const { counter, merchantId, name, address } of updateDestinations(signer)) {
    log(terminal, { level: "error", event: "new_destination", counter, merchantId, name, address });
  }
  for (const entry of signer.list.entries) {
    const times = signer.journal.entryTimes.get(entry.counter);
    if (times === undefined || reported.has(entry.counter)) continue;
    await saveDestination(db, entry, times);
    reported.add(entry.counter);
  }
}

/** Answers the waiting requests, at most AT_ONCE of them, and returns their number. */
async function answerRequests({ terminal, signer, db }: Serving): Promise<number> {
  // The devnet's clock is not this machine's, so its expired requests are read too, and refused.
  const afterMs = signer.config.network === "devnet" ? 0 : signer.clock();
  const requests = await findPending(db, afterMs, AT_ONCE);
  for (const request of requests) {
    const outcome = signRequest(signer, request);
    await saveOutcome(db, request.id, outcome);
    const { id: requestId, kind, index } = request;
    const { refusal, txId } = { txId: undefined, ...outcome };
    const said = refusal ? { level: "error", event: "signing_refused" } : { level: "info", msg: "signed" };
    log(terminal, { ...said, requestId, kind, index, txId, refusal });
  }
  return requests.length;
}

/** The constant part of the signer's state for the service. */
function identityOf({ config, keys }: Signer) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { network, xpubFingerprint, stakeAddress } = config;
  const [gasAddress, stakePermissionAddress] = [keys.addressAt(gasKey), keys.addressAt(stakeKey)];
  return { version, network, xpubFingerprint, gasAddress, stakePermissionAddress, stakeAddress };
}

/** One line of JSON for each event. docs/operations.md explains each error's `event`. */
function log({ write, clock }: SignerTerminal, line: object): void {
  write(`${JSON.stringify({ time: new Date(clock()).toISOString(), ...line })}\n`);
}
