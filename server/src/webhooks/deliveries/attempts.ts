import type { NetworkAccess } from "../../egress/guarded-dial.ts";
import { inMerchantLists } from "../../runtime/fair-rounds.ts";
import { createSender } from "../sending/sender.ts";
import type { WebhooksContext } from "./context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { type ClaimedDelivery, leaseMs } from "./delivery-store.ts";
import { createReadAhead } from "./read-ahead.ts";
import { createResultRecorder, type Result } from "./record-results.ts";
import { type Attempt, type Recorded, releaseClaims } from "./result-store.ts";
import type { ClaimOptions } from "./waiting-store.ts";

/** Claims that one process holds, for each of its slots. */
const HELD_PER_SLOT = 4;
/** The share of them that is free before the next claim, so that it is a large one. */
const FREE_SHARE = 1 / 4;
/** The longest wait for it: other work may have come due. */
const LONGEST_WAIT_MS = 1_000;

/** A claim of this process, with the times of its lease by the process's monotonic clock. */
type HeldClaim = ClaimedDelivery & {
  /** an attempt that starts later could outlive the lease */
  readonly startByMs: number;
  readonly leaseUntilMs: number;
};

/** What a process may claim now. */
export type Room = Pick<ClaimOptions, "free" | "held" | "rooms">;

/** The attempts of one process. */
export type Attempts = {
  room(): Room;
  /** Starts these claims as slots come free. `claimedMs` is the monotonic clock before they were claimed. */
  start(claims: readonly ClaimedDelivery[], claimedMs: number): void;
  /** Resolves once there is room for a large claim, and after a second. */
  whenRoom(): Promise<void>;
  isIdle(): boolean;
  /** Starts no more attempts; resolves when the running ones are recorded and the others released. */
  stop(): Promise<void>;
};

/** `onProgress` is called when results were recorded, so that more may be claimed. */
export function createAttempts(
  context: WebhooksContext,
  { access, onProgress }: { access: NetworkAccess; onProgress: () => void },
): Attempts {
  const { concurrency: slots, endpointConcurrency: perEndpoint, timeoutMs } = context.config.webhooks;
  const { clock } = context;
  const most = HELD_PER_SLOT * slots;
  const readAhead = createReadAhead<HeldClaim>({ slots, perEndpoint });
  const sender = createSender(context, access);
  const recorder = createResultRecorder(context, noteRecorded);
  const running = new Set<Promise<void>>();
  let isStopping = false;
  let onRoom = (): void => {};

  const free = () => most - readAhead.held();
  const hasRoom = () => isStopping || free() >= most * FREE_SHARE;

  function noteRecorded(results: readonly Result[], recorded: readonly Recorded[]): void {
    for (const { claim } of results) readAhead.forget(claim);
    const suspended = new Set(
      recorded.filter(({ isSuspended }) => isSuspended).map((each) => each.endpointId),
    );
    for (const endpointId of suspended) run(release(readAhead.takeWaiting(endpointId)));
    if (hasRoom()) onRoom();
    onProgress();
  }

  /** Gives claims back as if they had never been made. */
  async function release(claims: readonly HeldClaim[]): Promise<void> {
    try {
      for (const list of inMerchantLists(claims)) await releaseClaims(context.db, list, 0);
    } catch (error) {
      reportUnrecorded(context, claims, error);
    }
    for (const claim of claims) readAhead.forget(claim);
  }

  async function attempt(claim: HeldClaim): Promise<void> {
    const startMs = clock.monotonicMs();
    let result: Attempt | undefined;
    try {
      result = await deliverWebhook(context, claim, sender);
    } catch (error) {
      reportUnrecorded(context, [claim], error);
    }
    readAhead.end(claim, clock.monotonicMs() - startMs);
    if (result === undefined) readAhead.forget(claim);
    else recorder.add({ claim, attempt: result, leaseUntilMs: claim.leaseUntilMs });
    startWaiting();
  }

  function startWaiting(): void {
    const late: HeldClaim[] = [];
    for (let claim = readAhead.next(); claim !== undefined; claim = readAhead.next()) {
      if (clock.monotonicMs() < claim.startByMs) run(attempt(claim));
      else late.push(readAhead.skip(claim));
    }
    if (late.length > 0) run(release(late));
  }

  function run(work: Promise<void>): void {
    const under = work.finally(() => running.delete(under));
    running.add(under);
  }

  return {
    room: () => ({ free: Math.max(0, free()), held: readAhead.heldByMerchant(), rooms: readAhead.rooms() }),
    start: (claims, claimedMs) => {
      const leaseUntilMs = claimedMs + leaseMs(timeoutMs);
      const startByMs = leaseUntilMs - timeoutMs - RECORDING_MS;
      readAhead.add(claims.map((claim) => ({ ...claim, startByMs, leaseUntilMs })));
      if (isStopping) run(release(readAhead.takeWaiting()));
      else startWaiting();
    },
    whenRoom: async () => {
      if (hasRoom()) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LONGEST_WAIT_MS);
        onRoom = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    isIdle: () => readAhead.held() === 0,
    stop: async () => {
      isStopping = true;
      onRoom();
      run(release(readAhead.takeWaiting()));
      while (running.size > 0) await Promise.all(running);
      await recorder.drain();
      sender.post.close();
    },
  };
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
