import { runDaric } from "@daric/server/cli/daric";
import type { Variables } from "@daric/server/process/config";
import type { TestContext } from "./context.ts";

export type DaricOutcome = { code: number; out: string; err: string };

/** Runs a `daric` command in this process with this environment and standard input. */
export async function captureDaric(
  args: readonly string[],
  variables: Variables,
  input = "",
): Promise<DaricOutcome> {
  let [out, err] = ["", ""];
  const code = await runDaric(args, {
    variables,
    readInput: async () => input,
    readLines: async function* () {
      yield* input.split("\n").slice(0, -1);
    },
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** The environment of a command for this database and devnet nodes. */
export function daricVariables(
  { config }: Pick<TestContext, "config">,
  ...nodeUrls: readonly string[]
): Record<string, string> {
  return {
    DATABASE_URL: config.runtime.databaseUrl,
    TRON_NETWORK: "devnet",
    ...(nodeUrls.length > 0 && { TRON_NODE_URLS: nodeUrls.join(",") }),
  };
}
