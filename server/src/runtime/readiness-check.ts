/** One thing that must hold before a process is of use. `detail` is shown to whoever asks: no secrets. */
export type ReadinessCheck = {
  readonly name: string;
  /** the other checks need what this one asks: those that fail with it are named in it, not beside it */
  readonly isBase?: true;
  check(): Promise<{ ok: boolean; detail: string }>;
};
