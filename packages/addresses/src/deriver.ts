import { createRequire } from "node:module";
import type { Logger } from "@daric/runtime/logger";
import { createWorkerRpcClient } from "@daric/runtime/worker-rpc-client";
import type { DerivedAddress, IndexRange } from "./derive-range.ts";

/** Derives in a worker thread: 250 addresses take 25 ms of CPU, which would block the event loop. */
export type Deriver = {
  /** @throws Error if the addresses cannot be derived, or if the deriver is stopped. */
  derive(range: IndexRange): Promise<DerivedAddress[]>;
  stop(): Promise<void>;
};

/** The thread starts with the first call. */
export function createDeriver({ log }: { readonly log: Logger }): Deriver {
  const thread = createWorkerRpcClient<IndexRange, DerivedAddress[]>({
    log,
    task: "derives addresses",
    program: threadProgram,
  });
  return { derive: thread.call, stop: thread.stop };
}

/** The built file, since a worker thread cannot run TypeScript sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/addresses/derive-thread");
}
