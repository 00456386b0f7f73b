import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLogFile } from "./log-file.ts";
import type { DemoSettings } from "./settings.ts";

const program = fileURLToPath(new URL("./commands.js", import.meta.url));
const exitWithParent = fileURLToPath(new URL("./exit-with-parent.js", import.meta.url));

/**
 * Starts a process that pays orders in the background, so that the dashboard is not empty. Its output
 * is in `history.log`. After a failure, the next start continues the history. Returns a function that ends it.
 */
export function startHistory({ home, env }: DemoSettings): () => Promise<void> {
  const log = openLogFile(join(home, "history.log"));
  const child = spawn(process.execPath, ["--import", exitWithParent, program, "history"], {
    env: { ...env, DARIC_HOME: home },
    stdio: ["ignore", log.descriptor, log.descriptor, "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.once("error", () => undefined);
  return async () => {
    child.kill("SIGTERM");
    await ended;
    log.close();
  };
}
