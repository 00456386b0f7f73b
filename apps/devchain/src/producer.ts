/** Calls `produce` at a wall-clock pace that can change or pause. */
export type Producer = {
  readonly blockTimeMs: number;
  readonly paused: boolean;
  configure(settings: { blockTimeMs?: number | undefined; paused?: boolean | undefined }): void;
  stop(): void;
};

/** Starts producing, first block after one period. */
export function startProducer(
  produce: () => void,
  settings: { blockTimeMs: number; paused: boolean },
): Producer {
  let { blockTimeMs, paused } = settings;
  let timer: NodeJS.Timeout | undefined;
  const restart = () => {
    clearInterval(timer);
    timer = paused ? undefined : setInterval(produce, blockTimeMs);
  };
  restart();
  return {
    get blockTimeMs() {
      return blockTimeMs;
    },
    get paused() {
      return paused;
    },
    configure: (changed) => {
      blockTimeMs = changed.blockTimeMs ?? blockTimeMs;
      paused = changed.paused ?? paused;
      restart();
    },
    stop: () => clearInterval(timer),
  };
}
