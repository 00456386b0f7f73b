const LOOK_MS = 1_000;
/** `performance.now` stands still in some sleeping machines, and `Date.now` does not. */
const APART_MS = 2_000;

/** Moments after which the shown page may be old, without a message about it. */
export type Returns = {
  /** whether there was one since the last take */
  take(): boolean;
  /** Makes the page look again, as after a return. */
  markReturn(): void;
  /** Resolves after so long, or when the payer or the network returns or the network goes. */
  pause(ms: number): Promise<void>;
};

/** Watches for the return of the payer, of the network and of a sleeping machine. */
export function watchReturns(document: Document): Returns {
  const waiting = new Set<() => void>();
  let hasReturned = false;
  const wake = () => {
    for (const end of waiting) end();
  };
  const markReturn = () => {
    hasReturned = true;
    wake();
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) markReturn();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) markReturn();
  });
  addEventListener("online", markReturn);
  addEventListener("offline", wake);
  watchClocks(markReturn);
  return {
    markReturn,
    take() {
      const taken = hasReturned;
      hasReturned = false;
      return taken;
    },
    pause: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        waiting.add(end);
      }),
  };
}

/** Calls `onJump` when one clock of the machine has moved without the other. */
export function watchClocks(onJump: () => void): void {
  let apartMs = Date.now() - performance.now();
  setInterval(() => {
    const nowApartMs = Date.now() - performance.now();
    if (Math.abs(nowApartMs - apartMs) < APART_MS) return;
    apartMs = nowApartMs;
    onJump();
  }, LOOK_MS);
}
