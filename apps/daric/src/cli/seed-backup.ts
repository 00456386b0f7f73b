import { readFileSync } from "node:fs";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { checkWords, type WordsVerdict } from "@daric/tron/check-words";
import { accountPath } from "@daric/tron/seed";
import type { Command } from "commander";
import { fingerprintOf, xpubCheck } from "../deployment/secret-checks.ts";
import { readSettings } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

type VerifyOptions = OutputOptions & { readonly file?: string };

/** `daric seed verify`: compares a backup of the words with the xpub. */
export function addSeedVerifyCommand(seed: Command, terminal: Terminal): void {
  seed
    .command("verify")
    .description("compare the words of a backup with ACCOUNT_XPUB; run it off the server")
    .option("--file <path>", "read the words from this file (default: standard input, end with Ctrl-D)")
    .option("--json", "print JSON")
    .addHelpText("after", "\nPrints and keeps no word. A wrong word is named by its position.")
    // `daric seed` has the same option and would take it.
    .action(async (_, command: Command) => {
      const { file, ...options } = command.optsWithGlobals<VerifyOptions>();
      const { xpub, account, view } = accountOf(terminal);
      const words = file === undefined ? await terminal.readInput() : readWords(file);
      const fault = faultOf(checkWords(words, { xpub, account }));
      if (fault !== undefined) throw new CommandError(fault);
      printOne(terminal, options, { title: "The words are those of ACCOUNT_XPUB.", view });
    });
}

/** Prints a sheet to write the words of ACCOUNT_XPUB on by hand. It has no secret. */
export function printSheet(terminal: Terminal, options: OutputOptions): void {
  const account = accountOf(terminal);
  printFound(terminal, options, { json: account.view, text: () => sheetOf(account) });
}

function accountOf({ variables }: Terminal) {
  const { accountXpub: xpub } = readSettings(variables, ["addresses.accountXpub"]).addresses;
  const { account } = parseAccountXpub(xpub);
  const fingerprint = fingerprintOf(xpubCheck(xpub)) ?? "";
  return { xpub, account, view: { path: accountPath(account), accountXpub: fingerprint } };
}

function readWords(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(
      `--file cannot be read: ${error instanceof Error ? error.message : "unknown failure"}`,
    );
  }
}

/** The fault as a sentence, without a word. */
function faultOf(verdict: WordsVerdict): string | undefined {
  if (verdict.is === "right") return undefined;
  if (verdict.is === "count")
    return `a seed has 12, 15, 18, 21 or 24 words, and these are ${verdict.count}: a word is missing, or written as two`;
  if (verdict.is === "unknown")
    return `word ${verdict.positions.join(" and word ")} is not in the list of BIP-39: read it again on the paper`;
  if (verdict.is === "wrong word")
    return `word ${verdict.position} is wrong: another word of the list there gives ACCOUNT_XPUB. Correct the paper from the other copy`;
  if (verdict.is === "exchanged")
    return `words ${verdict.positions.join(" and ")} are exchanged: the other way round they give ACCOUNT_XPUB`;
  if (verdict.is === "checksum")
    return "the checksum is wrong, and no single word explains it: more than one word is wrong or in another place";
  return "these words are a valid seed, of another xpub: it is the paper of another deployment, or ACCOUNT_XPUB is wrong";
}

const WORDS = 24;
const ROWS = 6;

function sheetOf({ view }: ReturnType<typeof accountOf>): string {
  const cell = (place: number) => `${String(place).padStart(2)} ____________________`;
  const rows = Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: WORDS / ROWS }, (__, column) => cell(row + 1 + column * ROWS)).join("  "),
  );
  return [
    "Seed of a Daric deployment: the owner of these words has the money.",
    `Account ${view.path}, xpub with fingerprint ${view.accountXpub}.`,
    "",
    ...rows.flatMap((row) => [row, ""]),
    "Written on ____________  by ____________________   copy ___ of ___   kept at ____________________",
    "Checked with `daric seed verify` on ____________  ____________  ____________  ____________",
    "",
  ].join("\n");
}
