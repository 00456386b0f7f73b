/** Wake-ups between workers of one process. Hints only: polling finds the same work without them. */
export type WakeUps = {
  notify(): void;
  onWakeUp(wake: () => void): void;
};

export function createWakeUps(): WakeUps {
  const followers: (() => void)[] = [];
  return {
    notify: () => {
      for (const wake of followers) wake();
    },
    onWakeUp: (wake) => {
      followers.push(wake);
    },
  };
}
