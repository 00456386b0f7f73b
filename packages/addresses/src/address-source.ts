import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import { isSharded } from "@daric/postgres/tenants";
import { createAddressCheck, type FindWrongAddresses } from "./address-check.ts";
import { addressMac, type IssuedAs } from "./address-mac.ts";
import { type AddressPool, createAddressPool, type PoolMemory } from "./address-pool.ts";
import { CLAIM_MS, type HistorySource, mayKnowHistory } from "./chain-history.ts";
import type { SourceContext } from "./context.ts";
import { createDeriver } from "./deriver.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { GAP } from "./key-store.ts";
import { createSteps } from "./reserve-indexes.ts";
import { createWaitQueue, type WaitQueue } from "./wait-queue.ts";

export type AddressSource = {
  /**
   * An address that was never issued before, for a charge of this merchant. Waits up to 8 s if none is ready.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if none is ready in time. @throws the database's error while it is away.
   */
  take(merchantId: MerchantId): Promise<IssuedAddress>;
  /** Takes back an address whose create has certainly written nothing. */
  giveBack(issued: IssuedAddress): void;
  /** Drops the ready addresses for this merchant's charges, because one of their batch is already in the directory. */
  forgetReady(merchantId: MerchantId): void;
  /** Undefined on a distributed database, where a merchant has none before its first order. */
  readyCount(): number | undefined;
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

/**
 * Starts nothing before the first call. Without an answering node it issues addresses and checks them later. On a
 * distributed database each merchant has addresses of its own, which the directory names as its.
 */
export function createAddressSource(context: SourceContext, options: SourceOptions = {}): AddressSource {
  const { currentChain = () => undefined, checkAgainMs = CHECK_AGAIN_MS, gapSize = GAP } = options;
  const { claimMs = CLAIM_MS } = options;
  const { clock } = context;
  const deriver = createDeriver(context);
  const fetchHistory = mayKnowHistory(currentChain, { waitMs: HISTORY_WAIT_MS, clock, claimMs });
  const tools = { deriver, fetchHistory, gapSize, steps: createSteps(clock) };
  const memory: PoolMemory = {};
  const lines = new Map<MerchantId | undefined, Line>();
  let isStopped = false;
  const all = <T>(value: (line: Line) => T): T[] => [...lines.values()].map(value);
  const historyChecks = createHistoryChecks(context, {
    pools: () => all(({ pool }) => pool),
    checkAgainMs,
    afterwards: () => {
      for (const line of lines.values())
        if (line.pool.isLow()) line.fill();
        else historyChecks.begin();
    },
  });

  function lineOf(owner: MerchantId | undefined): Line {
    const merchantId = isSharded() ? owner : undefined;
    const known = lines.get(merchantId);
    if (known !== undefined) return known;
    const pool = createAddressPool(context, tools, { memory, merchantId });
    const line = createLine(context, pool, historyChecks.begin);
    lines.set(merchantId, line);
    return line;
  }

  return {
    take: async (merchantId) => {
      if (isStopped) throw unavailable();
      return lineOf(merchantId).take();
    },
    giveBack: (issued) => {
      for (const line of lines.values()) line.giveBack(issued);
    },
    forgetReady: (merchantId) => lineOf(merchantId).pool.forget(),
    readyCount: () => (isSharded() ? undefined : lineOf(undefined).pool.size()),
    macOf: (issued) => addressMac(context, issued),
    findWrong: createAddressCheck(context, deriver),
    prepare: () => {
      if (!isSharded()) lineOf(undefined).fill();
    },
    stop: async () => {
      isStopped = true;
      historyChecks.stop();
      const ended = all((line) => line.stop());
      await deriver.stop();
      await Promise.all(ended);
    },
  };
}

/** Ready addresses, of one merchant on a distributed database, and the callers that wait for them. */
type Line = {
  readonly pool: AddressPool;
  take(): Promise<IssuedAddress>;
  giveBack(issued: IssuedAddress): void;
  fill(): void;
  stop(): Promise<void>;
};

function createLine(context: SourceContext, pool: AddressPool, afterFill: () => void): Line {
  const queue = createWaitQueue<IssuedAddress>();
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
        afterFill();
        if (queue.length() > 0) fill();
      });
  }

  return {
    pool,
    fill,
    take: async () => {
      const next = pool.next();
      if (pool.isLow()) fill();
      return next ?? queue.join({ waitMs: WAIT_MS, onTimeout: unavailable });
    },
    giveBack: (issued) => {
      pool.putBack(issued);
      serve(pool, queue);
    },
    stop: async () => {
      isStopped = true;
      queue.refuseAll(unavailable());
      await filling;
    },
  };
}

/** Repeats the history check of ready addresses until it succeeds, and then calls `afterwards`. */
function createHistoryChecks(
  context: SourceContext,
  {
    pools,
    checkAgainMs,
    afterwards,
  }: { pools: () => readonly AddressPool[]; checkAgainMs: number; afterwards: () => void },
): { begin(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isReported = false;

  function begin(): void {
    if (isStopped || timer !== undefined) return;
    if (pools().every((pool) => pool.isHistoryKnown())) {
      isReported = false;
      return;
    }
    const delayMs = isReported ? checkAgainMs : Math.min(FIRST_CHECK_AGAIN_MS, checkAgainMs);
    if (!isReported) context.log.warn({ event: "address_history_unknown" }, HISTORY_UNKNOWN);
    isReported = true;
    timer = setTimeout(checkHistory, delayMs).unref();
  }

  async function checkPools(): Promise<void> {
    // The history that one pool learns holds for all.
    for (const pool of pools()) if (!pool.isHistoryKnown()) await pool.checkHistory();
  }

  async function checkHistory(): Promise<void> {
    await checkPools().catch((error: unknown) => {
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
