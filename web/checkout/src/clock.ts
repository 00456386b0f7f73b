/** The server's clock that decides the expiry, as far as the page knows it. No clock of the payer counts. */
export type ServerClock = {
  now(): number;
  /** Sets it by a page that said `serverMs`, and that arrived at `arrivedMs` of `performance.now()`. */
  set(serverMs: number, arrivedMs: number): void;
};

/**
 * Every page sets the clock, and only forward: a page may be late and is never early. A chain that is ahead of its
 * server moves in steps of a block, so the time left never grows.
 */
export function createClock(): ServerClock {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return {
    now: () => offsetMs + performance.now(),
    set(serverMs, arrivedMs) {
      offsetMs = Math.max(offsetMs, serverMs - arrivedMs);
    },
  };
}

/** How old a page was on its arrival. It was made within the time since its request, and caches say how long they kept it. */
export function ageMs(tripMs: number, age: string | null): number {
  return tripMs / 2 + 1_000 * (Number(age) || 0);
}

/** When the document arrived and how old it was, by the browser's record of its load. */
export function arrivalOfDocument(): { arrivedMs: number; ageMs: number } {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // Some browsers record the end only after the load.
  if (!load?.responseEnd) return { arrivedMs: performance.now(), ageMs: 0 };
  return { arrivedMs: load.responseEnd, ageMs: ageMs(load.responseEnd - load.requestStart, null) };
}
