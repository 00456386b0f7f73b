/** Work of a request waits so long at most for its wake-up, which one of a storm of requests brings for all. */
const SOON_MS = 250;

/** Wake-ups between workers of one process. Hints only: polling finds the same work without them. */
export type WakeUps = {
  notify(): void;
  /** Notifies a little later, once for all calls until then. */
  notifySoon(): void;
  onWakeUp(wake: () => void): void;
  /** Called by the watcher: whether it is the one that reads the chain. */
  setReading(isReading: boolean): void;
  /** Whether this process reads the chain, so that no other one announces what happens there. */
  isReading(): boolean;
};

export function createWakeUps(): WakeUps {
  const followers: (() => void)[] = [];
  let [isDue, isReading] = [false, false];
  const notify = (): void => {
    for (const wake of followers) wake();
  };
  return {
    notify,
    notifySoon: () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        notify();
      }, SOON_MS).unref();
    },
    onWakeUp: (wake) => {
      followers.push(wake);
    },
    setReading: (reading) => {
      isReading = reading;
    },
    isReading: () => isReading,
  };
}
