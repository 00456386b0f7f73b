import { createRequire } from "node:module";
import { createAnsweringThread } from "../../runtime/answering-thread.ts";
import type { Logger } from "../../runtime/logger.ts";
import { type JudgedAnswers, memoryOf, type ToldAnswers } from "./told-answers.ts";

/** Judges what nodes answered of blocks beside the event loop: a full block takes some milliseconds of a core. */
export type BlockFolder = {
  /**
   * The answers, judged. Their memory is the folder's until it answers.
   *
   * @throws Error when the thread cannot be had; the answers are gone.
   */
  fold(answers: ToldAnswers): Promise<JudgedAnswers>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** Starts nothing before the first block. */
export function createBlockFolder({ log }: { readonly log: Logger }): BlockFolder {
  const thread = createAnsweringThread<ToldAnswers, JudgedAnswers>({
    log,
    task: "judges blocks",
    program: threadProgram,
    handedOver: memoryOf,
  });
  return { fold: thread.ask, stop: thread.stop };
}

/** A thread is a program, so it is the build's, also where its caller is run from the sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/server/chain/blocks/fold-thread");
}
