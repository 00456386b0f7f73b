import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DemoError } from "./settings.ts";

/** The time for the children of a killed demo to free their ports. */
const MAX_WAIT_MS = 12_000;

/**
 * Waits a little for a port that may become free.
 *
 * @throws DemoError with the variable's name if the port is taken.
 */
export async function assertPortFree(port: number, variable: string, mayBecomeFree: boolean): Promise<void> {
  const deadline = performance.now() + (mayBecomeFree ? MAX_WAIT_MS : 0);
  while (!(await isFree(port))) {
    if (performance.now() >= deadline) {
      throw new DemoError(`Port ${port} is in use. Stop what uses it, or set ${variable} to another port.`);
    }
    await sleep(200);
  }
}

/** The first free port from this one on; this one itself if the next hundred are taken. */
export async function firstFreePort(from: number): Promise<number> {
  for (let port = from; port < from + 100; port += 1) if (await isFree(port)) return port;
  return from;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
