import { runDaric } from "@daric/server/cli";
import { DemoError } from "./settings.ts";

/**
 * Runs a command of the daric program, in this process, and answers what it prints as JSON.
 *
 * @throws DemoError with what the command said of its failure.
 */
export async function daric<T>(args: readonly string[], env: NodeJS.ProcessEnv): Promise<T> {
  let output = "";
  let errors = "";
  const exitCode = await runDaric([...args, "--json"], {
    variables: env,
    readInput: async () => "",
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  });
  if (exitCode !== 0) throw new DemoError(errors.trim());
  return JSON.parse(output) as T;
}
