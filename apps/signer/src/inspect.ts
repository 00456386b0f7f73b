import { rmSync, writeFileSync } from "node:fs";
import { parseConfig } from "./config.ts";
import { parseDestinations } from "./destinations.ts";
import { homePath, type Options, readFile, type SignerTerminal } from "./home.ts";
import { readJournal } from "./journal.ts";
import { ceilingText } from "./policy.ts";

/**
 * `daric-signer audit verify`: proves the chain of the journal. @throws SignerError with the line that breaks
 * it.
 */
export async function verifyAudit(terminal: SignerTerminal, options: Options): Promise<void> {
  const { seq, hash } = await readJournal(homePath(terminal, options, "journal.jsonl"));
  terminal.write(`journal.jsonl is whole: ${seq} lines, the newest has the hash ${hash}\n`);
}

/** `daric-signer destinations`: the operator's list, and when each entry takes effect. */
export async function showDestinations(terminal: SignerTerminal, options: Options): Promise<void> {
  const config = parseConfig(readFile(homePath(terminal, options, "config.json")));
  const { entryTimes } = await readJournal(homePath(terminal, options, "journal.jsonl"));
  const text = readFile(homePath(terminal, options, "destinations.jsonl"));
  for (const entry of parseDestinations(text, config)) {
    const { counter, merchantId, name, address } = entry;
    const times = entryTimes.get(counter);
    const acts = times ? `acts from ${new Date(times.actsFromMs).toISOString()}` : "not seen yet";
    const ceiling = `${ceilingText(entry)}${entry.isAdditional ? ", additional" : ""}${entry.permissions ? `, moved by ${entry.permissions}` : ""}`;
    terminal.write(`${counter}  ${merchantId}  ${name}  ${address ?? "withdrawn"}  ${ceiling}  ${acts}\n`);
  }
}

/** `daric-signer pause`: stops signing from the next round on. */
export async function pauseSigner(terminal: SignerTerminal, options: Options): Promise<void> {
  writeFileSync(homePath(terminal, options, "paused"), "");
}

export async function resumeSigner(terminal: SignerTerminal, options: Options): Promise<void> {
  rmSync(homePath(terminal, options, "paused"), { force: true });
}
