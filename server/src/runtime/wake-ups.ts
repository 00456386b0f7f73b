/**
 * How one worker of a process tells another at once what that one would find at its next look. Hints only: nothing
 * depends on one, and what other processes do is found by looking.
 */
export type WakeUps = {
  /** Tells whoever follows that there may be work. */
  give(): void;
  follow(onHint: () => void): void;
  /** The giver says whether it is at work here, or stands by while one in another process is. */
  setGiven(isGiven: boolean): void;
  /** Whether what makes the work runs in this process, so that its work comes with a hint. */
  isGiven(): boolean;
};

/** Made once for a process, and handed on. */
export function createWakeUps(): WakeUps {
  const followers: (() => void)[] = [];
  let isGivenNow = false;
  return {
    give: () => {
      for (const onHint of followers) onHint();
    },
    follow: (onHint) => {
      followers.push(onHint);
    },
    setGiven: (isGiven) => {
      isGivenNow = isGiven;
    },
    isGiven: () => isGivenNow,
  };
}
