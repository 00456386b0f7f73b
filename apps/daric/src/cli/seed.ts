import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountPath, accountXpubFromMnemonic, createSeed, MAX_ACCOUNT } from "@daric/tron/seed";
import { type Command, Option } from "commander";
import { variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne, type View } from "./print.ts";
import { addSeedVerifyCommand, printSheet } from "./seed-backup.ts";
import type { Terminal } from "./terminal.ts";

const WORDS_A_LINE = 4;

const ADVICE = `
What to do now
  1. Write the words on paper, in order, and check them. Keep two copies in two safe places. The owner of the words
     has the money; if they are lost, the money is lost.
  2. Run this command on a computer of your own, best without a network, and not on the server. Never store the
     words on the server, in a chat, in a photo or in a password field of a website.
  3. Give the server the xpub only, as ${variableOf("addresses.accountXpub")}. With it the server makes addresses and sees what they
     receive; it cannot move money.
  4. Check the paper: \`daric seed verify\` compares its words with ${variableOf("addresses.accountXpub")}, and names a wrong one.
  5. Use the account for this one deployment. For another database of yours make another seed, or another account of
     this one: \`daric seed --xpub-from-stdin --account 1\`, and write its number down beside the words.
`;

type SeedOptions = OutputOptions & {
  readonly account: number;
  readonly xpubFromStdin?: true;
  readonly sheet?: true;
};

/** `daric seed`: needs no database and no network, so that it can run on another machine than the server. */
export function addSeedCommand(program: Command, terminal: Terminal): void {
  const seed = program
    .command("seed")
    .description("make a new seed of 24 words and the xpub that the server needs; run it off the server")
    .option("--xpub-from-stdin", "make no seed: read the words of one from standard input (end with Ctrl-D)")
    .option("--account <number>", "the account of the seed, one for each deployment", readAccount, 0)
    .addOption(
      new Option(
        "--sheet",
        "make no seed: print a sheet to write the words of ACCOUNT_XPUB on by hand, without a secret",
      ).conflicts(["xpubFromStdin", "account"]),
    )
    .option("--json", "print JSON")
    .action(async (options: SeedOptions) => {
      if (options.sheet) printSheet(terminal, options);
      else if (options.xpubFromStdin) showXpub(terminal, options, await terminal.readInput());
      else showNewSeed(terminal, options);
    });
  addSeedVerifyCommand(seed, terminal);
}

function readAccount(text: string): number {
  const account = Number(text);
  if (/^\d{1,10}$/.test(text) && account <= MAX_ACCOUNT) return account;
  throw new CommandError(`--account must be a whole number from 0 to ${MAX_ACCOUNT}, not "${text}"`);
}

function showXpub(terminal: Terminal, options: SeedOptions, words: string): void {
  printOne(terminal, options, { title: "Account of these words:", view: accountView(words, options) });
  if (!options.json) terminal.write(walletsOf(options.account));
}

function showNewSeed(terminal: Terminal, options: SeedOptions): void {
  const words = createSeed();
  const view = accountView(words, options);
  if (options.json) {
    printOne(terminal, options, { title: "", view: { words, ...view } });
    return;
  }
  terminal.write(
    `New seed. These words are shown once and kept nowhere:\n\n${numbered(words.split(" "))}\n\n`,
  );
  printOne(terminal, options, { title: "Account:", view });
  terminal.write(walletsOf(options.account));
  terminal.write(ADVICE);
}

function accountView(words: string, { account }: SeedOptions): View {
  const accountXpub = xpubOf(words, account);
  return {
    accountXpub,
    path: accountPath(account),
    firstReceiveAddress: deriveReceiveAddress(parseAccountXpub(accountXpub), 0),
  };
}

/** The steps to reach the money with the words alone. Wallets count different steps of the path. */
export function walletsOf(account: number): string {
  const firstWallet =
    account === 0 ? "import the words: its addresses are i = 0, 1, 2 …" : "shows account 0 only";
  return `
How a wallet opens it: address i is at ${accountPath(account)}/0/i; the charge's row says its i (derivation_index).
  imToken             add an account with a path of your own (BIP44): ${account}, 0 and i
  TronLink            ${firstWallet}
  Ledger, Trust       account ${account}, of which they show i = 0 only
  by program          any BIP-32 library, or TronWeb: TronWeb.fromMnemonic(words, "${accountPath(account)}/0/i")
`;
}

function xpubOf(words: string, account: number): string {
  try {
    return accountXpubFromMnemonic(words.toLowerCase(), { account });
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
