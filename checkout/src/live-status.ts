import { type SeenCheckout, seenOf } from "./projection.ts";
import { keepSocket, type News, type SocketPage } from "./socket.ts";

const POLL_MS = 3_000;
const QUIET_POLL_MS = 15_000;
/** While changes are told, it is only made sure now and then that they are. */
const PUSHED_POLL_MS = 30_000;
const MAX_BACKOFF_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** One lost poll is a passing train; the payer is told from the second one on. */
const FAILURES_BEFORE_NOTICE = 2;
/** Every so many polls the page itself is read, for what the projection does not carry (money of another currency). */
const POLLS_PER_REFRESH = 5;

/** What the loop shows and asks; injected, so that a test needs no browser. */
export type LivePage = SocketPage & {
  /** `etag` is of the last answer: where nothing has changed since, this one is a 304 */
  fetchProjection(signal: AbortSignal, etag: string | undefined): Promise<Response>;
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
};

type Message = NonNullable<ReturnType<News["take"]>>;

/** What the loop remembers from one look to the next. */
type Memory = {
  polls: number;
  etag: string | undefined;
  /** the page that is shown is not up to date */
  isStale: boolean;
};

/**
 * Shows what the socket tells, and polls where there is none, until the order is final. When the projection is another one in
 * anything but a confirmation, or the last one, the page is read again and shown: the server writes what a payer sees, with and
 * without JavaScript. Errors slow the polling down.
 */
export async function followStatus(page: LivePage): Promise<void> {
  if (page.isFinal()) return;
  const news = keepSocket(page);
  const memory: Memory = { polls: 0, etag: undefined, isStale: false };
  let failures = 0;
  while (!page.isFinal()) {
    const pauseMs = news.isNotified() && failures === 0 ? PUSHED_POLL_MS : waitMs(failures, page.isQuiet());
    await Promise.race([page.pause(pauseMs), news.next()]);
    const retryAfterMs = await pollOnce(page, news, memory).catch(() => {
      // Where nobody answers, a socket that seems to be open is not.
      news.distrust();
      return 0;
    });
    failures = retryAfterMs === undefined ? 0 : failures + 1;
    page.showConnection(failures >= FAILURES_BEFORE_NOTICE);
    if (retryAfterMs) await page.pause(retryAfterMs);
  }
  news.end();
}

/** The wait before the next poll: doubled by each failure in a row, and long for a quiet page. */
export function waitMs(failures: number, isQuiet: boolean): number {
  const backoff = Math.min(POLL_MS * 2 ** failures, MAX_BACKOFF_MS);
  return isQuiet ? Math.max(backoff, QUIET_POLL_MS) : backoff;
}

/** Undefined when it went well; otherwise how long the server asked to be left alone, 0 when it did not say. */
async function pollOnce(page: LivePage, news: News, memory: Memory): Promise<number | undefined> {
  const message = news.take();
  const retryAfterMs =
    message === undefined ? await poll(page, news, memory) : receive(page, message, memory);
  return retryAfterMs === undefined && memory.isStale ? await refresh(page, memory) : retryAfterMs;
}

/** The same text again says that something changed which the projection does not carry. */
function receive(page: LivePage, { text, isAgain }: Message, memory: Memory): undefined {
  const { data } = JSON.parse(text) as { data: SeenCheckout };
  page.showConfirmations(data.status.confirmations);
  if (isAgain || seenOf(data) !== page.seen()) memory.isStale = true;
}

async function poll(page: LivePage, news: News, memory: Memory): Promise<number | undefined> {
  memory.polls += 1;
  if (memory.polls % POLLS_PER_REFRESH === 0) memory.isStale = true;
  const answer = await withTimeout((signal) => page.fetchProjection(signal, memory.etag));
  if (answer.status === 304) return undefined;
  if (!answer.ok) return retryAfterMs(answer);
  const { data } = (await answer.json()) as { data: SeenCheckout };
  memory.etag = answer.headers.get("etag") ?? undefined;
  page.showConfirmations(data.status.confirmations);
  if (seenOf(data) === page.seen()) return undefined;
  memory.isStale = true;
  // It should have been told.
  news.distrust();
  return undefined;
}

async function refresh(page: LivePage, memory: Memory): Promise<number | undefined> {
  const answer = await withTimeout((signal) => page.fetchPage(signal));
  if (!answer.ok) return retryAfterMs(answer);
  page.showPage(await answer.text());
  memory.isStale = false;
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
