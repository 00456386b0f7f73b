import { ApiError } from "../domain/errors.ts";
import type { AccountKeyId } from "../domain/ids.ts";
import type { SourceContext } from "./context.ts";
import { createDeriver } from "./deriver.ts";
import { INDEXES_AT_ONCE, takeAhead } from "./take-ahead.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** An address to issue: nobody else has it, or gets it. */
export type IssuedAddress = {
  readonly accountKeyId: AccountKeyId;
  readonly index: number;
  readonly address: string;
  /** its 20 bytes */
  readonly hash: Buffer;
};

/** The addresses that a process has ready, for all that issue in it. */
export type AddressSource = {
  /**
   * An address that was never issued before. Waits, 8 s at most, where none is ready.
   *
   * @throws ApiError SERVICE_UNAVAILABLE when none gets ready in time; whatever the database throws when it is away.
   */
  take(): Promise<IssuedAddress>;
  /** The create that took this address has certainly written nothing: it is free again. */
  giveBack(issued: IssuedAddress): void;
  /** An address that was taken is in the directory already: what is ready was taken with it, and is forgotten. */
  forgetReady(): void;
  /** Begins to derive, so that the first who takes need not wait. */
  prepare(): void;
  /** Ends the derivation; whoever waits is refused. What is ready is a gap from then on. */
  stop(): Promise<void>;
};

/** Below this many the next ones are taken and derived. */
const LOW = INDEXES_AT_ONCE / 2;
const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;

/** Takes nothing and starts nothing before it is asked. */
export function createAddressSource(context: SourceContext): AddressSource {
  const deriver = createDeriver(context);
  const line = createWaitingLine<IssuedAddress>();
  let ready: IssuedAddress[] = [];
  let givenOut = new WeakSet<IssuedAddress>();
  let filling: Promise<void> | undefined;
  let isStopped = false;

  function supply(taken: readonly IssuedAddress[]): void {
    ready.push(...taken);
    while (line.length() > 0) {
      const next = handNext();
      if (next === undefined) return;
      line.serve(next);
    }
  }

  function handNext(): IssuedAddress | undefined {
    const next = ready.shift();
    if (next !== undefined) givenOut.add(next);
    return next;
  }

  function fill(): void {
    filling ??= takeAhead(context, deriver)
      .then(supply, (error: unknown) => {
        if (!isStopped) context.log.warn({ err: error }, "no addresses could be derived");
        line.refuseAll(error);
      })
      .finally(() => {
        filling = undefined;
        if (line.length() > 0 && !isStopped) fill();
      });
  }

  return {
    take: async () => {
      if (isStopped) throw unavailable();
      const next = handNext();
      if (ready.length < LOW) fill();
      return next ?? line.join({ waitMs: WAIT_MS, onTimeout: unavailable });
    },
    giveBack: (issued) => {
      if (givenOut.delete(issued)) ready.unshift(issued);
      supply([]);
    },
    forgetReady: () => {
      ready = [];
      givenOut = new WeakSet();
    },
    prepare: fill,
    stop: async () => {
      isStopped = true;
      line.refuseAll(unavailable());
      await deriver.stop();
      await filling;
    },
  };
}

function unavailable(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
