import type { EndpointId } from "@daric/domain/ids";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import { createSender } from "../sending/sender.ts";
import { endpointSlots, type WebhooksContext } from "./context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, leaseMs } from "./delivery-store.ts";
import type { Held } from "./lanes.ts";
import { createReadAhead, type EndedAttempt, type ReadAhead } from "./read-ahead.ts";
import { createResultRecorder, type HeldResult } from "./record-results.ts";
import type { Attempt } from "./result-rows-store.ts";
import { releaseClaims } from "./result-store.ts";
import type { ClaimOptions } from "./waiting-store.ts";

/** Claims that one process holds, for each of its slots. */
const HELD_PER_SLOT = 16;
/** The share of them that is free before the next claim, so that it is a large one. */
const FREE_SHARE = 1 / 4;
/** The longest wait for it: other work may have come due. */
const MAX_WAIT_MS = 1_000;

/** A claim of this process, with the times of its lease by the process's monotonic clock. */
type HeldClaim = ClaimedDelivery & {
  /** an attempt that starts later could outlive the lease */
  readonly startByMs: number;
  readonly leaseUntilMs: number;
};

/** The number of claims that a process may add now. */
export type Room = Pick<ClaimOptions, "free" | "held" | "rooms">;

/** The attempts of one process. */
export type Attempts = {
  room(): Room;
  /** Starts these claims as slots come free. `claimedMs` is the monotonic clock before they were claimed. */
  start(claims: readonly ClaimedDelivery[], claimedMs: number): void;
  /** Resolves once there is room for a large claim, and after a second. */
  whenRoom(): Promise<void>;
  /** Starts no more attempts; resolves when the running ones are recorded and the others released. */
  stop(): Promise<void>;
};

/** `onProgress` is called when more may be claimed: results were recorded, claims were released, or the pace of an endpoint is known. */
export function createAttempts(
  context: WebhooksContext,
  { access, onProgress }: { access: NetworkAccess; onProgress: () => void },
): Attempts {
  const { concurrency: slots, timeoutMs } = context.config.webhooks;
  const readAhead = createReadAhead<HeldClaim>({ slots, perEndpoint: endpointSlots(slots) });
  const running = createRunning();
  const room = createRoom(HELD_PER_SLOT * slots, readAhead);
  let isStopping = false;

  const makeAll = createMaking(context, { access, readAhead, running, onProgress, room });

  return {
    room: room.now,
    start: (claims, claimedMs) => {
      const leaseUntilMs = claimedMs + leaseMs(timeoutMs);
      const startByMs = leaseUntilMs - timeoutMs - RECORDING_MS;
      readAhead.add(claims.map((claim) => Object.assign(claim, { startByMs, leaseUntilMs })));
      if (isStopping) makeAll.release(readAhead.takeWaiting());
      else makeAll.startWaiting();
    },
    whenRoom: room.whenLarge,
    stop: async () => {
      isStopping = true;
      room.open();
      makeAll.release(readAhead.takeWaiting());
      await running.drain();
      await makeAll.drain();
    },
  };
}

/** Work in progress, which never rejects. */
function createRunning() {
  const running = new Set<Promise<void>>();
  return {
    run: (work: Promise<void>): void => {
      const under = work.finally(() => running.delete(under));
      running.add(under);
    },
    drain: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The room for claims of a process that holds so many at most. */
function createRoom(max: number, readAhead: ReadAhead<HeldClaim>) {
  let isOpen = false;
  let onLarge = (): void => {};
  const free = () => Math.max(0, max - readAhead.held());
  const isLarge = () => isOpen || free() >= max * FREE_SHARE;
  return {
    now: (): Room => ({ free: free(), held: readAhead.heldByMerchant(), rooms: readAhead.rooms() }),
    whenLarge: async (): Promise<void> => {
      if (isLarge()) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, MAX_WAIT_MS);
        onLarge = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    /** Called after claims were forgotten. */
    countFreed: (): void => {
      if (isLarge()) onLarge();
    },
    /** Waits no longer: the process stops. */
    open: (): void => {
      isOpen = true;
      onLarge();
    },
  };
}

type Parts = {
  readonly access: NetworkAccess;
  readonly readAhead: ReadAhead<HeldClaim>;
  readonly running: ReturnType<typeof createRunning>;
  readonly room: ReturnType<typeof createRoom>;
  readonly onProgress: () => void;
};

function createMaking(context: WebhooksContext, { access, readAhead, running, room, onProgress }: Parts) {
  const { clock } = context;
  const sender = createSender(context, access);
  const recorder = createResultRecorder(context, (results, failing) => {
    const waiting = failing.filter(({ mustWait }) => mustWait).map(({ endpointId }) => endpointId);
    const claims = results.map(({ claim }) => claim);
    finish(claims, new Set(waiting));
  });

  /** Forgets claims. Their endpoints may go on, except those that must wait, of which the other claims are released. */
  function finish(claims: readonly Held[], waiting: ReadonlySet<EndpointId> = new Set()): void {
    for (const claim of claims) readAhead.forget(claim);
    for (const endpointId of waiting) release(readAhead.takeWaiting(endpointId));
    for (const { endpointId } of claims) if (!waiting.has(endpointId)) readAhead.resume(endpointId);
    startWaiting();
    room.countFreed();
    onProgress();
  }

  /** Gives claims back as if they had never been made. */
  function release(claims: readonly HeldClaim[]): void {
    if (claims.length > 0) running.run(releaseAll(context, claims).then(() => finish(claims)));
  }

  async function attempt(claim: HeldClaim): Promise<void> {
    const startMs = clock.monotonicMs();
    let result: Attempt | undefined;
    try {
      result = await deliverWebhook(context, claim, sender);
    } catch (error) {
      reportUnrecorded(context, [claim], error);
    }
    const durationMs = clock.monotonicMs() - startMs;
    const isFirst = readAhead.end(claim, endedAttempt(durationMs, result));
    if (result === undefined) readAhead.forget(claim);
    else recorder.add(heldResult(claim, result));
    startWaiting();
    if (isFirst) onProgress();
  }

  /** Starts what has a slot; a claim that waited for too long is given back. */
  function startWaiting(): void {
    const late: HeldClaim[] = [];
    for (let claim = readAhead.next(); claim !== undefined; claim = readAhead.next()) {
      if (clock.monotonicMs() < claim.startByMs) running.run(attempt(claim));
      else late.push(readAhead.skip(claim));
    }
    release(late);
  }

  return {
    release,
    startWaiting,
    drain: async () => {
      await recorder.drain();
      await running.drain();
      sender.post.close();
    },
  };
}

function endedAttempt(durationMs: number, result: Attempt | undefined): EndedAttempt {
  return {
    durationMs,
    isFailure: (result?.error ?? null) !== null,
    isPaused: result?.pauseMs !== undefined,
  };
}

function heldResult(claim: HeldClaim, attempt: Attempt): HeldResult {
  return { merchantId: claim.merchantId, claim, attempt, leaseUntilMs: claim.leaseUntilMs };
}

/** Never rejects. A list that cannot be released, such as one of a server that hangs, holds up no other. */
async function releaseAll(context: WebhooksContext, claims: readonly HeldClaim[]): Promise<void> {
  for (const list of inMerchantLists(claims))
    await releaseClaims(context.db, list, 0).catch((error: unknown) => {
      reportUnrecorded(context, list, error);
    });
}

/** The time of a lease that is left for recording after the longest attempt. */
const RECORDING_MS = 5_000;

/** The leases of these claims lapse, and then the deliveries are made by another claim. */
function reportUnrecorded(context: WebhooksContext, claims: readonly HeldClaim[], error: unknown): void {
  if (context.databaseOutage.report(error)) return;
  for (const { deliveryId } of claims)
    context.log.error(
      { event: "webhook_not_recorded", delivery_id: deliveryId, err: error },
      "the result of a webhook was not recorded; it is sent again when its lease ends",
    );
}
