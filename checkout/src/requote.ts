const MAX_TRIES = 4;
const RETRY_MS = 5_000;
const LONGEST_RETRY_S = 30;

/** What a fresh rate is asked for with; injected, so that a test needs no browser. */
export type RequotePage = {
  /** asks the server to lock one */
  requote(): Promise<Response>;
  /** reads the page again and shows it */
  refresh(): Promise<void>;
  pause(ms: number): Promise<void>;
};

/** Lets the `[data-requote]` button, also one that is put in later, lock a fresh rate. It rests while one is asked for. */
export function enableRequote(document: Document, page: RequotePage): void {
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-requote]") : null;
    if (button === null || button.disabled) return;
    button.disabled = true;
    try {
      await requoteAndShow(page);
    } finally {
      button.disabled = false;
    }
  });
}

/**
 * Asks for a fresh rate, again where there is none just now or nobody answers, and shows what has become of the order: also
 * where it is refused, because then something else has happened to it.
 */
export async function requoteAndShow({ requote, refresh, pause }: RequotePage): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await requote().catch(() => undefined);
    const isOver = answer !== undefined && answer.status !== 429 && answer.status < 500;
    if (isOver || tries === MAX_TRIES) break;
    await pause(waitOf(answer));
  }
  await refresh().catch(() => {});
}

function waitOf(answer: Response | undefined): number {
  const seconds = Number(answer?.headers.get("retry-after"));
  return seconds > 0 ? Math.min(seconds, LONGEST_RETRY_S) * 1_000 : RETRY_MS;
}
