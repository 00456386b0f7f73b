import { createRequire } from "node:module";
import type { Logger } from "../../runtime/logger.ts";
import { createWorkerRpcClient } from "../../runtime/worker-rpc-client.ts";
import { memoryOf, type RawBlockResponse, type ValidatedResponse } from "./raw-block-response.ts";

/** Judges what nodes answered of blocks beside the event loop: a full block takes some milliseconds of a core. */
export type BlockDecoder = {
  /**
   * The answers, judged. Their memory is the folder's until it answers.
   *
   * @throws Error when the thread cannot be had; the answers are gone.
   */
  decode(answers: RawBlockResponse): Promise<ValidatedResponse>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** Starts nothing before the first block. */
export function createBlockDecoder({ log }: { readonly log: Logger }): BlockDecoder {
  const thread = createWorkerRpcClient<RawBlockResponse, ValidatedResponse>({
    log,
    task: "judges blocks",
    program: threadProgram,
    transferablesOf: memoryOf,
  });
  return { decode: thread.call, stop: thread.stop };
}

/** A thread is a program, so it is the build's, also where its caller is run from the sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/server/chain/blocks/block-decoder-thread");
}
