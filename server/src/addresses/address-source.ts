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

/** The addresses that a process has ready, for all that issue in it, and what says that one was issued. */
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
  /** How many are ready. */
  readyCount(): number;
  /** The code that is stored beside an address. */
  macOf(issued: IssuedAs): Buffer;
  readonly findWrong: FindWrongAddresses;
  /** Begins to derive, so that the first who takes need not wait. */
  prepare(): void;
  /** Ends the derivation; whoever waits is refused. What is ready is a gap from then on. */
  stop(): Promise<void>;
};

const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;
/** Orders do not wait longer for what nodes know of the addresses that come next. */
const HISTORY_WAIT_MS = 1_500;
const HISTORY_UNKNOWN =
  "no node says whether the next addresses were used before; they are issued meanwhile, and the nodes are asked again";
/** What could not be looked up is looked up again; first soon, for slow nodes may have answered just after. */
const CHECK_AGAIN_MS = 15_000;
const FIRST_CHECK_AGAIN_MS = 1_000;

type SourceOptions = {
  /** where it is asked for the history of what comes next: the chain, once a node of it was verified */
  readonly currentChain?: () => HistorySource | undefined;
  readonly checkAgainMs?: number;
  /** by how many indexes it skips where some may be lost */
  readonly gapSize?: number;
  /** how long the only node must call an address used */
  readonly claimMs?: number;
};

/**
 * Takes nothing and starts nothing before it is asked. While no node answers, addresses are issued all the same and looked
 * up again and again.
 */
export function createAddressSource(context: SourceContext, options: SourceOptions = {}): AddressSource {
  const { currentChain = () => undefined, checkAgainMs = CHECK_AGAIN_MS, gapSize = GAP } = options;
  const { claimMs = CLAIM_MS } = options;
  const { clock } = context;
  const deriver = createDeriver(context);
  const fetchHistory = mayKnowHistory(currentChain, { waitMs: HISTORY_WAIT_MS, clock, claimMs });
  const stock = createAddressPool(context, { deriver, fetchHistory, gapSize, steps: createSteps(clock) });
  const line = createWaitQueue<IssuedAddress>();
  const lookUps = createHistoryChecks(context, stock, { checkAgainMs, afterwards: goOn });
  let filling: Promise<void> | undefined;
  let isStopped = false;

  function fill(): void {
    if (isStopped) return;
    filling ??= stock
      .fill()
      .then(() => serve(stock, line))
      .catch((error: unknown) => {
        if (!isStopped) reportShortage(context, error);
        line.refuseAll(error);
      })
      .finally(() => {
        filling = undefined;
        lookUps.begin();
        if (line.length() > 0) fill();
      });
  }

  function goOn(): void {
    if (stock.isLow()) fill();
    else lookUps.begin();
  }

  return {
    take: async () => {
      if (isStopped) throw unavailable();
      const next = stock.next();
      if (stock.isLow()) fill();
      return next ?? line.join({ waitMs: WAIT_MS, onTimeout: unavailable });
    },
    giveBack: (issued) => {
      stock.putBack(issued);
      serve(stock, line);
    },
    forgetReady: stock.forget,
    readyCount: stock.size,
    macOf: (issued) => addressMac(context, issued),
    findWrong: createAddressCheck(context, deriver),
    prepare: fill,
    stop: async () => {
      isStopped = true;
      lookUps.stop();
      line.refuseAll(unavailable());
      await deriver.stop();
      await filling;
    },
  };
}

/** Asks the chain again for what no node could tell of what is ready; what comes of it is for the caller to go on with. */
function createHistoryChecks(
  context: SourceContext,
  stock: AddressPool,
  { checkAgainMs, afterwards }: { checkAgainMs: number; afterwards: () => void },
): { begin(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isReported = false;

  function begin(): void {
    if (isStopped || timer !== undefined) return;
    if (stock.isHistoryKnown()) {
      isReported = false;
      return;
    }
    const delayMs = isReported ? checkAgainMs : Math.min(FIRST_CHECK_AGAIN_MS, checkAgainMs);
    if (!isReported) context.log.warn({ event: "address_history_unknown" }, HISTORY_UNKNOWN);
    isReported = true;
    timer = setTimeout(checkHistory, delayMs).unref();
  }

  async function checkHistory(): Promise<void> {
    await stock.checkHistory().catch((error: unknown) => {
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

/** Whoever waits for an address is refused. */
function reportShortage({ log, databaseOutage }: SourceContext, error: unknown): void {
  if (!databaseOutage.report(error))
    log.warn(
      { event: "addresses_not_derived", err: error },
      "no addresses could be derived: new orders get 503 until some are",
    );
}

/** What is ready goes to those who wait. */
function serve(stock: AddressPool, line: WaitQueue<IssuedAddress>): void {
  while (line.length() > 0) {
    const next = stock.next();
    if (next === undefined) return;
    line.serve(next);
  }
}

function unavailable(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
