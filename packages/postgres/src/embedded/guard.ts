import { type ChildProcess, spawn } from "node:child_process";
import type { ServerUser } from "./server-user.ts";

const SCRIPT = 'read -r _ && exit 0; kill -INT "$1"';

/**
 * Interrupts `child` when this process ends first, even by kill -9. The guard is a shell that waits for the end of
 * its input, which the system closes with us; a line dismisses it. Its own session protects it from Ctrl-C.
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
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  // The pid of a dead process may soon belong to another one.
  child.once("exit", () => guard.stdin.end("dismissed\n"));
}
