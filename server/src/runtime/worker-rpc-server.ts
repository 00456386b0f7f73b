import { parentPort } from "node:worker_threads";
import type { WorkerResponse } from "./worker-rpc-client.ts";

/**
 * What a program does that is the thread of `createWorkerRpcClient`: it answers each question in turn. `handedOver` is memory of
 * an answer that whoever asked gets instead of a copy.
 */
export function serveWorkerRpc<Request, Answer>(
  answer: (request: Request) => Answer,
  handedOver: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  parentPort?.on("message", ({ id, request }: { id: number; request: Request }) => {
    const outcome = outcomeOf(() => answer(request));
    const message = { id, ...outcome } satisfies WorkerResponse<Answer>;
    parentPort?.postMessage(message, "answer" in outcome ? handedOver(outcome.answer) : []);
  });
}

function outcomeOf<Answer>(answer: () => Answer): { answer: Answer } | { failure: string } {
  try {
    return { answer: answer() };
  } catch (error) {
    return { failure: String(error) };
  }
}
