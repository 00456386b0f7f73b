import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { processVariables } from "@daric/server/process/config";
import type { Answers } from "../clients.ts";
import { type Extent, parseHttpAnswer } from "../generator.ts";
import { runOnCommand } from "./serve-commands.ts";

/** Clients in a process of their own, apart from the measured process and the bench. */
type ClientBehaviour = { clients: number; everyMs: number; isPatient: boolean; requests: readonly string[] };
type Answer = { status: number; retryAfterMs: number };

const { BENCH_PORT, BENCH_CLIENTS = "{}" } = processVariables();
const { clients, everyMs, isPatient, requests } = JSON.parse(BENCH_CLIENTS) as ClientBehaviour;
const REOPEN_AFTER_MS = 100;

runOnCommand(async (extent: Extent): Promise<Answers> => {
  const startedMs = performance.now();
  const endMs = startedMs + ("seconds" in extent ? extent.seconds * 1_000 : 0);
  const answers = { tookMs: [] as number[], refused: 0, others: {} as Record<string, number> };

  async function sendNext(client: number): Promise<void> {
    let socket: Socket | undefined;
    // The clients start one after the other, spread over the interval.
    await sleep((everyMs * client) / clients);
    for (let count = client; performance.now() < endMs; count += 1) {
      const request = Buffer.from(requests[count % requests.length] ?? "", "latin1");
      const sentMs = performance.now();
      for (let isDone = false; !isDone && performance.now() < endMs; ) {
        socket = socket?.destroyed === false ? socket : open();
        const { status, retryAfterMs } = await send(socket, request);
        isDone = !(isPatient && (status === 429 || status === 503));
        if (status === 429 || status === 503) answers.refused += 1;
        else if (status >= 200 && status < 300) answers.tookMs.push(performance.now() - sentMs);
        else answers.others[status || "closed"] = (answers.others[status || "closed"] ?? 0) + 1;
        if (!isDone) await sleep(Math.min(retryAfterMs, Math.max(0, endMs - performance.now())));
        if (status === 0) await sleep(REOPEN_AFTER_MS);
      }
      await sleep(Math.max(0, sentMs + everyMs - performance.now()));
    }
    socket?.destroy();
  }

  await Promise.all(Array.from({ length: clients }, (_, client) => sendNext(client)));
  return { ...answers, done: answers.tookMs.length, elapsedMs: performance.now() - startedMs };
});

function open(): Socket {
  const socket = connect({ host: "127.0.0.1", port: Number(BENCH_PORT), noDelay: true });
  socket.on("error", () => {});
  return socket;
}

/** The response; status 0 if the connection ended without one. */
function send(socket: Socket, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    let received: Buffer<ArrayBufferLike> = Buffer.alloc(0);
    const settle = (answer: Answer): void => {
      socket.off("data", onData).off("close", onClose);
      resolve(answer);
    };
    const onClose = (): void => settle({ status: 0, retryAfterMs: 0 });
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = parseHttpAnswer(received);
      if (answer === undefined) return;
      const seconds = Number(/\r\nretry-after: (\d+)/i.exec(answer.head)?.[1] ?? 0);
      settle({ status: answer.status, retryAfterMs: seconds * 1_000 });
    };
    socket.on("data", onData).on("close", onClose);
    socket.write(bytes);
  });
}
