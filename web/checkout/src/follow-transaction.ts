import type { ServerClock } from "./clock.ts";
import type { Looked } from "./lookup.ts";
import type { PageTexts } from "./texts.ts";

/** A transaction that a wallet has signed. */
export type Followed = {
  readonly id: string;
  /** no later block can have it, by the chain's clock */
  readonly expiresMs: number;
};

/** The page and the server of a follower; injected, so that a test needs no browser. */
export type FollowedPage = {
  readonly clock: Pick<ServerClock, "now">;
  lookUp(txId: string): Promise<Looked | undefined>;
  pause(ms: number): Promise<void>;
  /** the `data-seen` of the shown page */
  seen(): string;
  /** whether the page still offers the payment */
  offersPayment(): boolean;
};

/** By then a transaction is in a block, as a rule. */
const FIRST_LOOK_MS = 8_000;
/** Four look-ups a minute leave the payer two by hand. */
const LOOK_MS = 15_000;
/** Our own blocks are seconds behind a node's. */
const SHOWN_WITHIN_MS = 60_000;
const STEP_MS = 1_000;
const UNDECIDED = ["seen", "not_found", "busy"];
/** A node may show its last blocks so late. */
const LATE_MS = 60_000;

/**
 * Follows a signed transaction by the look-up until its end is known, and returns the text about it. Found money is
 * left to the page: nothing is offered again until the page shows another state. Without an answer nothing is
 * concluded.
 */
export async function followTransaction(
  { id, expiresMs }: Followed,
  page: FollowedPage,
  { walletGone }: PageTexts,
): Promise<string | undefined> {
  for (let waitMs = FIRST_LOOK_MS; ; ) {
    await page.pause(waitMs);
    const isOver = page.clock.now() > expiresMs + LATE_MS;
    if (!page.offersPayment()) {
      if (isOver) return undefined;
      continue;
    }
    const looked = await page.lookUp(id);
    const { result = "busy", text, retryMs = 0 } = looked ?? {};
    if (result === "counted" || (result === "seen" && (await isShown(page, id)))) return undefined;
    if (result === "not_found" && isOver) return walletGone;
    if (!UNDECIDED.includes(result)) return text;
    waitMs = Math.max(LOOK_MS, retryMs);
  }
}

/** Whether the page shows the payment within a while; a fork may have dropped it. */
async function isShown(page: FollowedPage, id: string): Promise<boolean> {
  const before = page.seen();
  for (let waitedMs = 0; waitedMs < SHOWN_WITHIN_MS; waitedMs += STEP_MS) {
    if (page.seen() !== before || before.includes(id)) return true;
    await page.pause(STEP_MS);
  }
  return false;
}

/** Keeps the followed transaction of this tab for a reload of the page, as far as the browser allows it. */
export function keepFollowed(key: string): {
  read(): Followed | undefined;
  write(followed: Followed | undefined): void;
} {
  return {
    read() {
      try {
        const { id, expiresMs } = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Followed>;
        return id === undefined || expiresMs === undefined ? undefined : { id, expiresMs };
      } catch {
        return undefined;
      }
    },
    write(followed) {
      try {
        if (followed === undefined) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(followed));
      } catch {
        // A browser without storage forgets it with the page.
      }
    },
  };
}
