import { parentPort } from "node:worker_threads";
import type { WorkerResponse } from "./worker-rpc-client.ts";

/**
 * Serves a `createWorkerRpcClient` inside its thread. `transferablesOf` names memory that is transferred, not
 * copied.
 */
export function serveWorkerRpc<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
  transferablesOf: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  parentPort?.on("message", async ({ id, request }: { id: number; request: Request }) => {
    const outcome = await outcomeOf(() => answer(request));
    const message = { id, ...outcome } satisfies WorkerResponse<Answer>;
    parentPort?.postMessage(message, "answer" in outcome ? transferablesOf(outcome.answer) : []);
  });
}

async function outcomeOf<Answer>(
  answer: () => Answer | Promise<Answer>,
): Promise<{ answer: Answer } | { failure: string }> {
  try {
    return { answer: await answer() };
  } catch (error) {
    return { failure: String(error) };
  }
}
