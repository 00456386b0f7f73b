import { ApiError } from "../domain/errors.ts";
import { createAddressCheck, type FindWrongAddresses } from "./address-check.ts";
import { addressMac, type IssuedAs } from "./address-mac.ts";
import { type AddressPool, createAddressPool } from "./address-pool.ts";
import { CLAIM_MS, type HistorySource, mayKnowHistory } from "./chain-history.ts";
import type { SourceContext } from "./context.ts";
import { createDeriver } from "./deriver.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { GAP } from "./key-store.ts";
import { createSteps } from "./reserve-indexes.ts";
import { createWaitQueue, type WaitQueue } from "./wait-queue.ts";

export type AddressSource = {
  /**
   * An address that was never issued before. Waits up to 8 s if none is ready.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if none is ready in time. @throws the database's error while it is away.
   */
  take(): Promise<IssuedAddress>;
  /** Takes back an address whose create has certainly written nothing. */
  giveBack(issued: IssuedAddress): void;
  /** Drops the ready addresses, because one of their batch is already in the directory. */
  forgetReady(): void;
  readyCount(): number;
  macOf(issued: IssuedAs): Buffer;
  readonly findWrong: FindWrongAddresses;
  /** Starts to derive, so that the first order need not wait. */
  prepare(): void;
  /** Ends the derivation and refuses waiting callers. The ready addresses become a gap. */
  stop(): Promise<void>;
};

const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;
const HISTORY_WAIT_MS = 1_500;
const HISTORY_UNKNOWN =
  "no node answers whether the next addresses were used before; they are issued, and the nodes are queried again";
/** The interval between history checks; the first comes sooner, because slow nodes may have just answered. */
const CHECK_AGAIN_MS = 15_000;
const FIRST_CHECK_AGAIN_MS = 1_000;

type SourceOptions = {
  /** the chain to query for history, once one of its nodes is verified */
  readonly currentChain?: () => HistorySource | undefined;
  readonly checkAgainMs?: number;
  readonly gapSize?: number;
  readonly claimMs?: number;
};

/** The part of the source that a create needs. An adopted address is a source too. */
export type IssuingSource = Pick<AddressSource, "take" | "giveBack" | "forgetReady" | "macOf">;

/** Starts nothing before the first call. Without an answering node it issues addresses and checks them later. */
export function createAddressSource(context: SourceContext, options: SourceOptions = {}): AddressSource {
  const { currentChain = () => undefined, checkAgainMs = CHECK_AGAIN_MS, gapSize = GAP } = options;
  const { claimMs = CLAIM_MS } = options;
  const { clock } = context;
  const deriver = createDeriver(context);
  const fetchHistory = mayKnowHistory(currentChain, { waitMs: HISTORY_WAIT_MS, clock, claimMs });
  const pool = createAddressPool(context, { deriver, fetchHistory, gapSize, steps: createSteps(clock) });
  const queue = createWaitQueue<IssuedAddress>();
  const historyChecks = createHistoryChecks(context, pool, { checkAgainMs, afterwards: fillOrCheck });
  let filling: Promise<void> | undefined;
  let isStopped = false;

  function fill(): void {
    if (isStopped) return;
    filling ??= pool
      .fill()
      .then(() => serve(pool, queue))
      .catch((error: unknown) => {
        if (!isStopped) reportShortage(context, error);
        queue.refuseAll(error);
      })
      .finally(() => {
        filling = undefined;
        historyChecks.begin();
        if (queue.length() > 0) fill();
      });
  }

  function fillOrCheck(): void {
    if (pool.isLow()) fill();
    else historyChecks.begin();
  }

  return {
    take: async () => {
      if (isStopped) throw unavailable();
      const next = pool.next();
      if (pool.isLow()) fill();
      return next ?? queue.join({ waitMs: WAIT_MS, onTimeout: unavailable });
    },
    giveBack: (issued) => {
      pool.putBack(issued);
      serve(pool, queue);
    },
    forgetReady: pool.forget,
    readyCount: pool.size,
    macOf: (issued) => addressMac(context, issued),
    findWrong: createAddressCheck(context, deriver),
    prepare: fill,
    stop: async () => {
      isStopped = true;
      historyChecks.stop();
      queue.refuseAll(unavailable());
      await deriver.stop();
      await filling;
    },
  };
}

/** Repeats the history check of ready addresses until it succeeds, and then calls `afterwards`. */
function createHistoryChecks(
  context: SourceContext,
  pool: AddressPool,
  { checkAgainMs, afterwards }: { checkAgainMs: number; afterwards: () => void },
): { begin(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isReported = false;

  function begin(): void {
    if (isStopped || timer !== undefined) return;
    if (pool.isHistoryKnown()) {
      isReported = false;
      return;
    }
    const delayMs = isReported ? checkAgainMs : Math.min(FIRST_CHECK_AGAIN_MS, checkAgainMs);
    if (!isReported) context.log.warn({ event: "address_history_unknown" }, HISTORY_UNKNOWN);
    isReported = true;
    timer = setTimeout(checkHistory, delayMs).unref();
  }

  async function checkHistory(): Promise<void> {
    await pool.checkHistory().catch((error: unknown) => {
      if (!context.databaseOutage.report(error))
        context.log.warn(
          { event: "address_check_failed", err: error },
          "the next addresses could not be checked for earlier use; it will be retried",
        );
    });
    timer = undefined;
    afterwards();
  }

  return {
    begin,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function reportShortage({ log, databaseOutage }: SourceContext, error: unknown): void {
  if (!databaseOutage.report(error))
    log.warn(
      { event: "addresses_not_derived", err: error },
      "no addresses could be derived: new orders get 503 until some are",
    );
}

function serve(pool: AddressPool, queue: WaitQueue<IssuedAddress>): void {
  while (queue.length() > 0) {
    const next = pool.next();
    if (next === undefined) return;
    queue.serve(next);
  }
}

function unavailable(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
