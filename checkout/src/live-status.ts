import { type SeenCheckout, seenOf } from "./projection.ts";

const POLL_MS = 3_000;
const QUIET_POLL_MS = 15_000;
const MAX_BACKOFF_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** One lost poll is a passing train; the payer is told from the second one on. */
const FAILURES_BEFORE_NOTICE = 2;
/** Every so many polls the page itself is read, for what the projection does not carry (money of another currency). */
const POLLS_PER_REFRESH = 5;

/** What the loop shows and asks; injected, so that a test needs no browser. */
export type LivePage = {
  fetchProjection(signal: AbortSignal): Promise<Response>;
  fetchPage(signal: AbortSignal): Promise<Response>;
  /** the `data-seen` of the page that is shown */
  seen(): string;
  /** whether nothing can change any more */
  isFinal(): boolean;
  /** whether nobody is looking, or little can be expected */
  isQuiet(): boolean;
  showConfirmations(count: number): void;
  showPage(markup: string): void;
  showConnection(isLost: boolean): void;
  /** resolves after so long, or at once when the payer comes back to the page */
  pause(ms: number): Promise<void>;
};

/**
 * Polls the projection until the order is final. When it tells anything but another confirmation, or the last one, the page is read
 * again and shown: the server writes what a payer sees, with and without JavaScript. Errors slow the polling down.
 */
export async function followStatus(page: LivePage): Promise<void> {
  let failures = 0;
  for (let polls = 1; !page.isFinal(); polls += 1) {
    await page.pause(waitMs(failures, page.isQuiet()));
    const retryAfterMs = await poll(page, polls % POLLS_PER_REFRESH === 0);
    failures = retryAfterMs === undefined ? 0 : failures + 1;
    page.showConnection(failures >= FAILURES_BEFORE_NOTICE);
    if (retryAfterMs) await page.pause(retryAfterMs);
  }
}

/** The wait before the next poll: doubled by each failure in a row, and long for a quiet page. */
export function waitMs(failures: number, isQuiet: boolean): number {
  const backoff = Math.min(POLL_MS * 2 ** failures, MAX_BACKOFF_MS);
  return isQuiet ? Math.max(backoff, QUIET_POLL_MS) : backoff;
}

/** One look. Undefined when it went well; otherwise how long the server asked to be left alone, 0 when it did not say. */
async function poll(page: LivePage, isRefreshDue: boolean): Promise<number | undefined> {
  try {
    const answer = await withTimeout((signal) => page.fetchProjection(signal));
    if (!answer.ok) return retryAfterMs(answer);
    const { data } = (await answer.json()) as { data: SeenCheckout };
    page.showConfirmations(data.status.confirmations);
    if (isRefreshDue || seenOf(data) !== page.seen()) return await refresh(page);
    return undefined;
  } catch {
    return 0;
  }
}

async function refresh(page: LivePage): Promise<number | undefined> {
  const answer = await withTimeout((signal) => page.fetchPage(signal));
  if (!answer.ok) return retryAfterMs(answer);
  page.showPage(await answer.text());
  return undefined;
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
