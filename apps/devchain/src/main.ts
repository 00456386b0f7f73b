import { parseArgs } from "node:util";
import { type Devchain, startDevchain } from "./devchain.ts";
import { MAX_BLOCK_TIME_MS, MIN_BLOCK_TIME_MS } from "./http/control-api.ts";

const USAGE = `devchain: a local TRON chain speaking java-tron's HTTP API

  devchain [--port 9090] [--data DIR] [--block-time MS] [--host 127.0.0.1] [--paused]

  --port        port to listen on (9090)
  --data        directory that keeps the chain; without it the chain lives in memory
  --block-time  wall-clock milliseconds between blocks (3000); chain time always steps 3 s
  --host        address to listen on (127.0.0.1)
  --paused      mine only when asked (POST /devchain/mine)
  --help        this text
`;

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
    const devchain = await startDevchain(options);
    stopOnSignal(devchain);
    process.stdout.write(describe(devchain));
  } catch (error) {
    process.stderr.write(`devchain: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function readOptions(args: string[]): Parameters<typeof startDevchain>[0] | "help" {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string", default: "9090" },
      data: { type: "string" },
      "block-time": { type: "string", default: "3000" },
      host: { type: "string", default: "127.0.0.1" },
      paused: { type: "boolean", default: false },
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
  };
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

function describe({ url, genesisId, usdtContract, payer }: Devchain): string {
  return `devchain listening on ${url}
  genesis        ${genesisId}
  USDT contract  ${usdtContract}
  payer          ${payer.address}
  payer key      ${payer.privateKey}
  control API    ${url}/devchain/info
`;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE")
    return `${error.message}: the port is in use, choose another with --port`;
  return error.message;
}
