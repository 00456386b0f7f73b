import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import type { Command } from "commander";
import { variableOf } from "../config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const WORDS_A_LINE = 4;

const ADVICE = `
What to do now
  1. Write the words on paper, in order, and check them. Keep two copies in two safe places. Whoever has the words
     has the money; if they are lost, the money is lost.
  2. Run this command on a computer of your own, best without a network, and not on the server. Never store the
     words on the server, in a chat, in a photo or in a password field of a website.
  3. Give the server the xpub only, as ${variableOf("addresses.accountXpub")}. With it the server makes addresses and sees what they
     receive; it cannot move money.
  4. Check the paper: \`daric seed --xpub-from-stdin\` and the words must give the same xpub.
`;

/** `daric seed`: needs no database and no network, so that it runs on another machine than the server. */
export function addSeedCommand(program: Command, terminal: Terminal): void {
  program
    .command("seed")
    .description("make a new seed of 24 words and the xpub that the server needs; run it off the server")
    .option("--xpub-from-stdin", "make no seed: read the words of one from standard input (end with Ctrl-D)")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { xpubFromStdin?: true }) => {
      if (options.xpubFromStdin) showXpub(terminal, options, await terminal.readInput());
      else showNewSeed(terminal, options);
    });
}

function showXpub(terminal: Terminal, options: OutputOptions, words: string): void {
  printOne(terminal, options, { title: "Account of these words (m/44'/195'/0'):", view: accountView(words) });
}

function showNewSeed(terminal: Terminal, options: OutputOptions): void {
  const words = createSeed();
  const view = accountView(words);
  if (options.json) {
    printOne(terminal, options, { title: "", view: { words, ...view } });
    return;
  }
  terminal.write(
    `New seed. These words are shown once and kept nowhere:\n\n${numbered(words.split(" "))}\n\n`,
  );
  printOne(terminal, options, { title: "Account (m/44'/195'/0'):", view });
  terminal.write(ADVICE);
}

function accountView(words: string): { accountXpub: string; firstReceiveAddress: string } {
  const accountXpub = xpubOf(words);
  return { accountXpub, firstReceiveAddress: deriveReceiveAddress(parseAccountXpub(accountXpub), 0) };
}

function xpubOf(words: string): string {
  try {
    return accountXpubFromMnemonic(words.toLowerCase());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const count = words.split(/\s+/).filter((word) => word !== "").length;
    throw new CommandError(
      `these ${count} words are no seed: a word is mistyped, missing or in the wrong place (BIP-39 English words, 12 to 24)`,
    );
  }
}

function numbered(words: readonly string[]): string {
  const cells = words.map((word, index) => `${String(index + 1).padStart(4)} ${word.padEnd(9)}`);
  const lines = [];
  for (let start = 0; start < cells.length; start += WORDS_A_LINE) {
    lines.push(
      cells
        .slice(start, start + WORDS_A_LINE)
        .join("")
        .trimEnd(),
    );
  }
  return lines.join("\n");
}
