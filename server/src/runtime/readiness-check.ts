/** One thing that must hold before a process is of use. `detail` is shown to whoever asks: no secrets. */
export type ReadinessCheck = {
  readonly name: string;
  check(): Promise<{ ok: boolean; detail: string }>;
};
