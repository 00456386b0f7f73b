import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Done, Extent } from "../generator.ts";

/** Listens on a free port and reports it to the parent process. */
export async function serveCommands(app: Pick<FastifyInstance, "listen" | "server">): Promise<void> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  report((app.server.address() as AddressInfo).port);
}

/** Does the work on command and reports the result. `port` is the port that the program listens on; 0 is none. */
export function runOnCommand<Input = Extent>(work: (input: Input) => Promise<Done>, port = 0): void {
  process.on("message", (input: Input) => void work(input).then(report));
  report(port);
}

function report(message: Done | number): void {
  process.send?.(message);
}
