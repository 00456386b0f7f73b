import { createRequire } from "node:module";
import type { Logger } from "../runtime/logger.ts";
import { createWorkerRpcClient } from "../runtime/worker-rpc-client.ts";

/** The indexes `first` to `first` + `count` - 1 of an account key. */
export type IndexRange = { readonly xpub: string; readonly first: number; readonly count: number };

/** An address in both its forms: as it is written, and the 20 bytes behind the prefix that it shares with every other. */
export type DerivedAddress = {
  readonly index: number;
  readonly address: string;
  readonly hash: Uint8Array;
};

/** Derives off the event loop: 250 addresses cost 25 ms of a core, in which a process would answer nobody. */
export type Deriver = {
  /**
   * The addresses of these indexes, in order.
   *
   * @throws Error when they cannot be derived, or the deriver is stopped.
   */
  derive(range: IndexRange): Promise<DerivedAddress[]>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** Starts nothing before the first question. */
export function createDeriver({ log }: { readonly log: Logger }): Deriver {
  const thread = createWorkerRpcClient<IndexRange, DerivedAddress[]>({
    log,
    task: "derives addresses",
    program: threadProgram,
  });
  return { derive: thread.call, stop: thread.stop };
}

/** A thread is a program, so it is the build's, also where its caller is run from the sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/server/addresses/derive-thread");
}
