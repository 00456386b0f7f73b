/**
 * Wake-ups between the workers of one process. Each is a hint only: polling finds the same work without it, and the
 * work of other processes.
 */
export type WakeUps = {
  notify(): void;
  onWakeUp(wake: () => void): void;
  /** Says whether the worker that creates the work is active in this process. */
  setLocal(isLocal: boolean): void;
  /** Whether new work comes with a wake-up. */
  isLocal(): boolean;
};

export function createWakeUps(): WakeUps {
  const followers: (() => void)[] = [];
  let isLocalNow = false;
  return {
    notify: () => {
      for (const wake of followers) wake();
    },
    onWakeUp: (wake) => {
      followers.push(wake);
    },
    setLocal: (isLocal) => {
      isLocalNow = isLocal;
    },
    isLocal: () => isLocalNow,
  };
}
