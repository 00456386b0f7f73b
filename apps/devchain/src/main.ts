import { parseArgs } from "node:util";
import { MAX_DEV_ACCOUNTS, MAX_DEV_BALANCE, PUBLIC_MNEMONIC } from "./chain/dev-accounts.ts";
import { type Devchain, type DevchainOptions, startDevchain } from "./devchain.ts";
import { MAX_BLOCK_TIME_MS, MIN_BLOCK_TIME_MS } from "./http/control-api.ts";
import type { AnsweredCall } from "./http/http-server.ts";
import { requestLine } from "./request-line.ts";

const USAGE = `devchain: a TRON chain for testing payments

  devchain [--port 9090] [--data DIR] [--block-time MS] [--host 127.0.0.1] [--paused] [--automine]
           [--accounts 10] [--mnemonic "WORDS"] [--balance 10000] [--quiet]

  --port        port to listen on (9090)
  --data        directory that keeps the chain; without it the chain lives in memory
  --block-time  wall-clock milliseconds between blocks (3000); chain time always steps 3 s
  --host        address to listen on (127.0.0.1)
  --paused      mine only when asked (POST /devchain/mine)
  --automine    mine a block for each accepted transaction at once
  --accounts    how many accounts have money (10)
  --mnemonic    the words of these accounts; the default is public
  --balance     TRX of each, and as many USDT (10000)
  --quiet       print no line for each request
  --help        this text
`;

const MAX_UNREAD_BYTES = 1_000_000;

class UsageError extends Error {
  override readonly name = "UsageError";
}

await main();

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === "help") {
      process.stdout.write(USAGE);
      return;
    }
    // A later failure of block production (a full disk, another process on the same data) ends the process.
    process.once("uncaughtException", (error) => {
      process.stderr.write(`devchain: ${explain(error)}\n`);
      process.exit(1);
    });
    // The chain goes on when the reader of its lines has gone.
    process.stdout.on("error", () => undefined);
    const devchain = await startDevchain(options);
    stopOnSignal(devchain);
    process.stdout.write(describe(devchain));
  } catch (error) {
    process.stderr.write(`devchain: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function readOptions(args: string[]): DevchainOptions | "help" {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string", default: "9090" },
      data: { type: "string" },
      "block-time": { type: "string", default: "3000" },
      host: { type: "string", default: "127.0.0.1" },
      paused: { type: "boolean", default: false },
      automine: { type: "boolean", default: false },
      accounts: { type: "string", default: "10" },
      mnemonic: { type: "string", default: PUBLIC_MNEMONIC },
      balance: { type: "string", default: "10000" },
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    port: wholeNumber("--port", values.port, [0, 65_535]),
    host: values.host,
    ...(values.data !== undefined && { dataDir: values.data }),
    blockTimeMs: wholeNumber("--block-time", values["block-time"], [MIN_BLOCK_TIME_MS, MAX_BLOCK_TIME_MS]),
    paused: values.paused,
    automine: values.automine,
    accounts: wholeNumber("--accounts", values.accounts, [0, MAX_DEV_ACCOUNTS]),
    mnemonic: values.mnemonic,
    balance: wholeNumber("--balance", values.balance, [1, MAX_DEV_BALANCE]),
    ...(!values.quiet && { onAnswer: printRequest }),
  };
}

/** A reader that has stopped to read loses lines, and costs no more memory. */
function printRequest(answered: AnsweredCall): void {
  if (process.stdout.writableLength < MAX_UNREAD_BYTES) process.stdout.write(`${requestLine(answered)}\n`);
}

function wholeNumber(option: string, text: string, [from, to]: readonly [number, number]): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(`${option} must be a whole number from ${from} to ${to}`);
}

function stopOnSignal(devchain: Devchain): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      devchain.stop().catch((error: unknown) => {
        process.stderr.write(`devchain: ${explain(error)}\n`);
        process.exitCode = 1;
      });
    });
  }
}

function describe({ url, genesisId, usdtContract, payer, accounts, mnemonic }: Devchain): string {
  const listed = accounts.map(
    ({ address, privateKey }, index) => `  ${String(index).padStart(3)}  ${address}  ${privateKey}\n`,
  );
  return `devchain listening on ${url}
  genesis        ${genesisId}
  USDT contract  ${usdtContract}
  payer          ${payer.address}
  payer key      ${payer.privateKey}
  control API    ${url}/devchain/info
  JSON-RPC       ${url}/jsonrpc
  events         ${url}/v1/contracts/${usdtContract}/events

accounts with TRX and USDT, and their private keys
${listed.join("")}  mnemonic: ${mnemonic}, path m/44'/195'/0'/0/N

The payer's key and the default mnemonic are PUBLIC. Never use them on another network: whatever arrives there is stolen.

`;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE")
    return `${error.message}: the port is in use, choose another with --port`;
  return error.message;
}
