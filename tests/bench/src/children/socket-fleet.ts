import { WebSocket } from "ws";
import type { FleetDone, FleetReport } from "../socket-fleet.ts";

/** A used port stays blocked for a minute, so many connections need many source addresses. */
const SOCKETS_PER_ADDRESS = 150;

let sockets: WebSocket[] = [];
process.on("message", (command: FleetReport) => void work(command).then((done) => process.send?.(done)));
process.send?.(0);

async function work(command: FleetReport): Promise<FleetDone> {
  const startedMs = performance.now();
  if ("open" in command)
    return { ...(await openAll(command.open)), elapsedMs: performance.now() - startedMs };
  const arrivals = await Promise.all(sockets.map((socket) => arrivalOf(socket)));
  return {
    done: arrivals.length,
    failed: 0,
    lastMs: Math.max(...arrivals),
    elapsedMs: performance.now() - startedMs,
  };
}

/** Opens one socket per path and waits for a message on each; earlier sockets are closed at once. */
async function openAll({ port, paths, atOnce }: { port: number; paths: readonly string[]; atOnce: number }) {
  for (const socket of sockets) socket.terminate();
  sockets = [];
  const failures: unknown[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const opened = paths.slice(from, from + atOnce).map((path, n) => {
      const localAddress = `127.0.0.${2 + Math.floor((from + n) / SOCKETS_PER_ADDRESS)}`;
      return new WebSocket(`ws://127.0.0.1:${port}${path}`, { localAddress, perMessageDeflate: false });
    });
    const command = await Promise.allSettled(opened.map((socket) => arrivalOf(socket)));
    for (const outcome of command) if (outcome.status === "rejected") failures.push(outcome.reason);
    sockets.push(...opened.filter((_, n) => command[n]?.status === "fulfilled"));
  }
  const why = failures.length > 0 ? { why: String(failures[0]) } : {};
  return { done: sockets.length, failed: failures.length, lastMs: Date.now(), ...why };
}

/** The arrival of the next message, Unix time in ms. @throws Error when the socket ends before it */
function arrivalOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    let fault = "";
    const end = (code: number): void => {
      socket.off("message", receive);
      reject(new Error(`the socket ended: ${code} ${fault}`));
    };
    const receive = (): void => {
      socket.off("close", end);
      resolve(Date.now());
    };
    socket.once("message", receive);
    socket.once("close", end);
    socket.once("error", (error) => {
      fault = error.message;
    });
  });
}
