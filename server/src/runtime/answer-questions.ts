import { parentPort } from "node:worker_threads";
import type { ThreadAnswer } from "./answering-thread.ts";

/**
 * What a program does that is the thread of `createAnsweringThread`: it answers each question in turn. `handedOver` is memory of
 * an answer that whoever asked gets instead of a copy.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer,
  handedOver: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  parentPort?.on("message", ({ id, question }: { id: number; question: Question }) => {
    const outcome = outcomeOf(() => answer(question));
    const message = { id, ...outcome } satisfies ThreadAnswer<Answer>;
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
