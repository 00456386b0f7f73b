/** Wake-ups between workers of one process. Hints only: polling finds the same work without them. */
export type WakeUps = {
  notify(): void;
  onWakeUp(wake: () => void): void;
  /** Says whether the worker that creates the work is active in this process. */
  setLocal(isLocal: boolean): void;
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
