import { existsSync } from "node:fs";
import { claimHome } from "@daric/postgres/embedded/home-claim";
import { must, parseConfig } from "./config.ts";
import { homePath, type Options, readFile, type SignerTerminal } from "./home.ts";
import { createJournal } from "./journal.ts";
import { CLOCK_SKEW_MS, EXPIRY_MARGIN_MS, MAX_LIFE_MS } from "./policy.ts";

const DEVNET_WAIT_MS = 5_000;

/**
 * `daric-signer adopt`: begins a journal for a home without one, after every earlier signature of its seed
 * has expired.
 *
 * @throws SignerError if there is a journal.
 */
export async function adopt(terminal: SignerTerminal, options: Options): Promise<void> {
  const { network, isOffline } = parseConfig(readFile(homePath(terminal, options, "config.json")));
  const path = homePath(terminal, options, "journal.jsonl");
  must(!existsSync(path), "there is a journal already: adopt is not needed");
  const claim = await claimHome(homePath(terminal, options, ""));
  try {
    const life = isOffline ? MAX_LIFE_MS.offline : MAX_LIFE_MS.online;
    const waitMs = network === "devnet" ? DEVNET_WAIT_MS : life + CLOCK_SKEW_MS + EXPIRY_MARGIN_MS;
    const until = new Date(terminal.clock() + waitMs).toISOString();
    terminal.write(`Waiting until ${until}: stop every other signer of this seed.\n`);
    await terminal.sleep(waitMs);
    must(!terminal.stopped.aborted, "stopped before the time: no journal was begun");
    createJournal(path, "adopt", terminal.clock());
  } finally {
    await claim.release();
  }
}
