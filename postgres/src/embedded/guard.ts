import { type ChildProcess, spawn } from "node:child_process";
import type { ServerUser } from "./server-user.ts";

const SCRIPT = 'read -r _ && exit 0; kill -INT "$1"';

/**
 * Interrupts `child` when this process ends before it in whatever way, kill -9 included. The guard is a small
 * shell that waits for the end of its input, which the system closes with us; a line instead of the end
 * dismisses it. It has a session of its own, so that Ctrl-C in a terminal does not end it before its time.
 */
export function guardProcess(child: ChildProcess, user: ServerUser): void {
  if (child.pid === undefined) return;
  const guard = spawn("/bin/sh", ["-c", SCRIPT, "daric-postgres-guard", String(child.pid)], {
    ...user.ids,
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell nothing is guarded, which is no reason not to run.
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  // The number of a process that is gone may be another's before long.
  child.once("exit", () => guard.stdin.end("dismissed\n"));
}
