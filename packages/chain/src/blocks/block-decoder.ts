import { createRequire } from "node:module";
import type { Logger } from "@daric/runtime/logger";
import { createWorkerRpcClient } from "@daric/runtime/worker-rpc-client";
import { memoryOf, type RawBlockResponse, type ValidatedResponse } from "./raw-block-response.ts";

/** Validates blocks in a worker thread: a full block takes some milliseconds of CPU. */
export type BlockDecoder = {
  /** Takes over the memory of the answers. @throws Error if the thread cannot run; the answers are lost then. */
  decode(answers: RawBlockResponse): Promise<ValidatedResponse>;
  stop(): Promise<void>;
};

export function createBlockDecoder({ log }: { readonly log: Logger }): BlockDecoder {
  const thread = createWorkerRpcClient<RawBlockResponse, ValidatedResponse>({
    log,
    task: "decodes blocks",
    program: threadProgram,
    transferablesOf: memoryOf,
  });
  return { decode: thread.call, stop: thread.stop };
}

/** The built file, since a worker thread cannot run TypeScript sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/chain/blocks/block-decoder-thread");
}
