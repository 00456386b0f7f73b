import { readCheckout, seenOf } from "./projection.ts";
import { keepSocket, type PushedMessages, type SocketPage } from "./socket.ts";

const POLL_MS = 3_000;
const QUIET_POLL_MS = 15_000;
/** While a socket sends changes, polls only verify it now and then. */
const PUSHED_POLL_MS = 30_000;
const MAX_BACKOFF_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** A single lost poll is normal; the payer sees a notice from the second one on. */
const FAILURES_BEFORE_NOTICE = 2;

/** The page and the server of the loop; injected, so that a test needs no browser. */
export type LivePage = SocketPage & {
  /** `etag` is that of the last answer: without a change the answer is 304 */
  fetchProjection(signal: AbortSignal, etag: string): Promise<Response>;
  fetchPage(signal: AbortSignal): Promise<Response>;
  /** the `data-seen` of the shown page */
  seen(): string;
  /** the ETag of the answer that belongs to the page as it was loaded */
  readonly etag: string;
  /** whether the state is final */
  isFinal(): boolean;
  /** whether the page is hidden or few changes are expected */
  isQuiet(): boolean;
  showConfirmations(count: number): void;
  /** Shows the page if it is one of the service. Returns whether it was. */
  showPage(markup: string): boolean;
  /** whether the payer, the network or the machine has returned since the last take */
  takeReturn(): boolean;
  showConnection(isLost: boolean): void;
};

type Message = NonNullable<ReturnType<PushedMessages["take"]>>;

/** The state of the loop between two polls. */
type PollState = {
  etag: string;
  /** the last answer of a poll */
  text: string | undefined;
  /** the shown page is out of date */
  isStale: boolean;
};

/**
 * Shows the socket's messages, and polls without a socket, until the order is final. If the projection
 * changes in more than a confirmation, or at the last one, the page is reloaded. So it is for a change outside the projection. So the server renders all
 * content, with and without JavaScript. Errors slow the polling down.
 */
export async function followStatus(page: LivePage): Promise<void> {
  if (page.isFinal()) return;
  const pushed = keepSocket(page);
  const state: PollState = { etag: page.etag, text: undefined, isStale: false };
  let failures = 0;
  while (!page.isFinal()) {
    const pauseMs = pushed.isNotified() && failures === 0 ? PUSHED_POLL_MS : waitMs(failures, page.isQuiet());
    await Promise.race([page.pause(pauseMs), pushed.next()]);
    const retryAfterMs = await pollOnce(page, pushed, state).catch(() => {
      // Without an answer to a poll, an open socket is probably dead.
      pushed.distrust();
      return 0;
    });
    failures = retryAfterMs === undefined ? 0 : failures + 1;
    page.showConnection(failures >= FAILURES_BEFORE_NOTICE);
    if (retryAfterMs) await page.pause(retryAfterMs);
  }
  pushed.end();
}

/** The wait before the next poll: doubled by each consecutive failure, and long for a quiet page. */
export function waitMs(failures: number, isQuiet: boolean): number {
  const backoff = Math.min(POLL_MS * 2 ** failures, MAX_BACKOFF_MS);
  return isQuiet ? Math.max(backoff, QUIET_POLL_MS) : backoff;
}

/** Undefined on success; otherwise the server's Retry-After, or 0 without one. */
async function pollOnce(
  page: LivePage,
  pushed: PushedMessages,
  state: PollState,
): Promise<number | undefined> {
  const message = pushed.take();
  if (page.takeReturn()) state.isStale = true;
  let retryAfterMs: number | undefined;
  if (message !== undefined) receive(page, message, state);
  else retryAfterMs = await poll(page, pushed, state);
  return retryAfterMs === undefined && state.isStale ? await refresh(page, state) : retryAfterMs;
}

/** A repeated text means a change outside the projection. */
function receive(page: LivePage, { text, isAgain }: Message, state: PollState): void {
  const data = readCheckout(JSON.parse(text));
  page.showConfirmations(data.status.confirmations);
  if (isAgain || seenOf(data) !== page.seen()) state.isStale = true;
}

async function poll(page: LivePage, pushed: PushedMessages, state: PollState): Promise<number | undefined> {
  const answer = await withTimeout((signal) => page.fetchProjection(signal, state.etag));
  if (answer.status === 304) return undefined;
  if (!answer.ok) return retryAfterMs(answer);
  const text = await answer.text();
  const data = readCheckout(JSON.parse(text));
  const etag = answer.headers.get("etag") ?? state.etag;
  // The same answer under another ETag: something else on the page has changed.
  if (etag !== state.etag && text === (state.text ?? text)) state.isStale = true;
  state.etag = etag;
  state.text = text;
  page.showConfirmations(data.status.confirmations);
  if (seenOf(data) === page.seen()) return undefined;
  state.isStale = true;
  // The socket should have sent this change.
  pushed.distrust();
  return undefined;
}

async function refresh(page: LivePage, state: PollState): Promise<number | undefined> {
  const answer = await withTimeout((signal) => page.fetchPage(signal));
  if (!answer.ok) return retryAfterMs(answer);
  const isOurs = page.showPage(await answer.text());
  if (isOurs) state.isStale = false;
  return isOurs ? undefined : 0;
}

function retryAfterMs(answer: Response): number {
  const seconds = Number(answer.headers.get("retry-after"));
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, MAX_BACKOFF_MS) : 0;
}

async function withTimeout(request: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
