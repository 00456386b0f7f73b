import { type MessageLane, parseReceiver } from "@daric/domain/message";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import { isMessageMac, type Message, type MessageSealing } from "./message.ts";
import {
  type ClaimedMessage,
  claimMessages,
  putOff,
  release,
  saveEnd,
  saveFailure,
  saveSent,
} from "./store.ts";

/** The end of a message that did not fail. */
export type Delivered =
  | { readonly is: "sent"; readonly addressHash?: Buffer | undefined }
  /** it is not sent, and no fault: such as a receiver who has left */
  | { readonly is: "dropped"; readonly reason: string }
  /** it is not tried before this time: quiet hours, or a limit */
  | { readonly is: "put off"; readonly until: Date };

/** A receiver's server is away, or its address is refused for good. */
export class SendFailure extends Error {
  /** `server`: other messages through it fail too. `receiver`: no later try can help. `message`: this one failed. */
  readonly of: "server" | "receiver" | "message";
  /** the pause that the other end asked for */
  readonly pauseMs: number | undefined;

  constructor(
    message: string,
    { of, pauseMs, cause }: { of: SendFailure["of"]; pauseMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause });
    this.of = of;
    this.pauseMs = pauseMs;
  }
}

/** Makes the text of a message and sends it. @throws SendFailure, or any other error as a failure of this message. */
export type Deliver = (message: Message) => Promise<Delivered>;

export type SendingContext = MessageSealing &
  Pick<ContextOf<unknown, AlarmMetrics>, "db" | "log" | "metrics">;

/** Longer than a round takes: a mail has 30 s, and a round ends when half of it is over. */
const LEASE_MS = 300_000;
const BATCH = 20;
const [AGAIN_MS, MAX_AGAIN_MS] = [30_000, 900_000];

/**
 * Sends due messages of a lane, `atOnce` at a time, and returns how many it took. A failed one is tried again for a day with growing pauses,
 * and then given up with an alarm. If the process dies between the sending and the record, that message is sent twice.
 */
export async function sendMessages(
  context: SendingContext,
  { lane, atOnce = 1 }: { readonly lane: MessageLane; readonly atOnce?: number },
  deliver: Deliver,
): Promise<number> {
  const claimed = await claimMessages(context.db, lane, { limit: BATCH, leaseMs: LEASE_MS });
  const startedMs = performance.now();
  for (let place = 0; place < claimed.length; place += atOnce) {
    const isLate = performance.now() - startedMs > LEASE_MS / 2;
    const work = (claim: ClaimedMessage) =>
      isLate ? release(context.db, claim) : sendOne(context, claim, deliver);
    await Promise.all(claimed.slice(place, place + atOnce).map(work));
  }
  return claimed.length;
}

async function sendOne(context: SendingContext, claim: ClaimedMessage, deliver: Deliver): Promise<void> {
  const { db } = context;
  const message = messageOf(claim);
  if (message === undefined || !isMessageMac(context, message, claim.mac)) return refuse(context, claim);
  try {
    const delivered = await deliver(message);
    if (delivered.is === "sent") await saveSent(db, claim, delivered.addressHash);
    else if (delivered.is === "dropped") await saveEnd(db, claim, delivered.reason);
    else await putOff(db, claim, delivered);
  } catch (error) {
    await recordFailure(context, claim, error);
  }
}

function messageOf(claim: ClaimedMessage): Message | undefined {
  const receiver = parseReceiver(claim.receiver);
  return receiver && { ...claim, receiver };
}

async function refuse({ db, log, metrics }: SendingContext, claim: ClaimedMessage): Promise<void> {
  metrics.alarms.inc({ alarm: "message_refused" });
  log.error(
    { event: "message_refused", message_id: String(claim.id), merchant_id: claim.merchantId },
    "a message was not written by the service: it is not sent",
  );
  await saveEnd(db, claim, "its code is not ours");
}

async function recordFailure(
  { db, log, metrics }: SendingContext,
  claim: ClaimedMessage,
  error: unknown,
): Promise<void> {
  const failure = error instanceof SendFailure ? error : undefined;
  const reason = reasonOf(error);
  const laterMs = Math.max(
    Math.min(MAX_AGAIN_MS, AGAIN_MS * 2 ** (claim.attempts - 1)),
    failure?.pauseMs ?? 0,
  );
  const facts = { message_id: String(claim.id), kind: claim.kind, reason };
  if (failure?.of === "receiver" || claim.kind === "channel_test") {
    log.warn({ event: "message_not_sent", ...facts }, "a message was refused for good");
    return saveEnd(db, claim, reason);
  }
  if (claim.isLast) {
    metrics.alarms.inc({ alarm: "message_given_up" });
    log.error(
      { event: "message_given_up", ...facts },
      "a message could not be sent for a day: it is given up",
    );
    await saveEnd(db, claim, reason);
  } else {
    if (claim.attempts === 1)
      log.warn({ event: "message_not_sent", ...facts }, "a message could not be sent; it is tried again");
    await saveFailure(db, claim, { reason, laterMs });
  }
}

/** The first line of an error's message. */
export function reasonOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return line.slice(0, 300) || "unknown failure";
}
