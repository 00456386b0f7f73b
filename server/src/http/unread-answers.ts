import type { Socket } from "node:net";
import type { Clock } from "../runtime/clock.ts";
import type { ConnectionSlots } from "./connection-slots.ts";

/** How long an answer may wait without a byte of it being taken. */
const UNREAD_MS = 30_000;
/** How often that is looked at, as a share of it. */
const READS = 30;
/** So many looks at which nothing was taken make an answer one that is not read. */
const UNREAD_LOOKS = 2;
/** How long something may wait to be taken without a pause, as a multiple of it: a byte now and then keeps no connection. */
const SLOW = 2;

/**
 * Ends the connections on which nothing of what is to be sent was taken for 30 s, or not all of it within 60 s. Node has no time for that which what comes
 * in would not begin anew. Those of which nothing was taken for 2 s are told to `places`. Answers how to stop looking.
 */
export function endUnreadAnswers(
  { all: open, reportUnread }: Pick<ConnectionSlots<Socket>, "all" | "reportUnread">,
  clock: Clock,
  unreadMs: number = UNREAD_MS,
): () => void {
  type Waiting = { readonly bytes: number; readonly sinceMs: number; readonly begunMs: number };
  const waiting = new WeakMap<Socket, Waiting>();

  function check(socket: Socket): void {
    const bytes = unreadBytes(socket);
    const before = waiting.get(socket);
    const nowMs = clock.monotonicMs();
    const { begunMs = nowMs } = before ?? {};
    const sinceMs = before?.bytes === bytes ? before.sinceMs : nowMs;
    reportUnread(socket, bytes > 0 && nowMs - sinceMs >= (UNREAD_LOOKS * unreadMs) / READS);
    if (bytes === 0) waiting.delete(socket);
    else if (nowMs - sinceMs >= unreadMs || nowMs - begunMs >= SLOW * unreadMs) socket.destroy();
    else waiting.set(socket, { bytes, sinceMs, begunMs });
  }

  const timer = setInterval(() => open().forEach(check), unreadMs / READS).unref();
  return () => clearInterval(timer);
}

/** What Node keeps of what is to be sent, with what it gave to the system in one piece, of which the system takes some at a time. */
function unreadBytes(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.writableLength + (socket._handle?.writeQueueSize ?? 0);
}
