import { runDaricForOutput } from "@daric/server/cli";
import { DemoError } from "./settings.ts";

/**
 * Runs a command of the daric program in this process, and returns its JSON output.
 *
 * @throws DemoError with the command's own error.
 */
export async function daric<T>(args: readonly string[], env: NodeJS.ProcessEnv): Promise<T> {
  try {
    return await runDaricForOutput<T>(args, env);
  } catch (error) {
    throw new DemoError(error instanceof Error ? error.message : String(error));
  }
}
