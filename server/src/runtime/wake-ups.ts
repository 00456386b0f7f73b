/**
 * How one worker of a process tells another at once what that one would find at its next look. Hints only: nothing
 * depends on one, and what other processes do is found by looking.
 */
export type WakeUps = {
  /** Tells whoever follows that there may be work. */
  notify(): void;
  onWakeUp(wake: () => void): void;
  /** The giver says whether it is at work here, or stands by while one in another process is. */
  setLocal(isLocal: boolean): void;
  /** Whether what makes the work runs in this process, so that its work comes with a hint. */
  isLocal(): boolean;
};

/** Made once for a process, and handed on. */
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
