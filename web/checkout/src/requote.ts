import { announce } from "./announce.ts";

const MAX_TRIES = 4;
const RETRY_MS = 5_000;
const MAX_RETRY_S = 30;

/** The page and the server of a requote; injected, so that a test needs no browser. */
export type RequotePage = {
  /** asks the server for a locked rate */
  requote(): Promise<Response>;
  /** reloads the page */
  refresh(): Promise<void>;
  pause(ms: number): Promise<void>;
};

/**
 * Makes the `[data-requote]` form, present or future, fetch today's amount without leaving the page. Its
 * button is disabled meanwhile; a screen reader says the new amount.
 */
export function enableRequote(document: Document, page: RequotePage): void {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.requote === undefined) return;
    event.preventDefault();
    const button = form.querySelector("button");
    if (button === null || button.disabled) return;
    button.disabled = true;
    try {
      await requoteAndShow(page);
      announce(document, document.querySelector(".amount")?.textContent ?? undefined);
    } finally {
      button.disabled = false;
    }
  });
}

/**
 * Requests a fresh rate, retries a temporary failure, and reloads the order. It also reloads after a refusal,
 * since the order has changed.
 */
export async function requoteAndShow({ requote, refresh, pause }: RequotePage): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await requote().catch(() => undefined);
    const isOver = answer !== undefined && isOurs(answer) && answer.status !== 429 && answer.status < 500;
    if (isOver || tries === MAX_TRIES) break;
    await pause(waitOf(answer));
  }
  await refresh().catch(() => {});
}

/** A captive portal or a proxy answers with a page. */
function isOurs({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}

function waitOf(answer: Response | undefined): number {
  const seconds = Number(answer?.headers.get("retry-after"));
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_S) * 1_000 : RETRY_MS;
}
