/** One condition for a process to be ready. `detail` is public: no secrets. */
export type ReadinessCheck = {
  readonly name: string;
  /** Other checks depend on this one; if it fails, their failures are listed inside it. */
  readonly isBase?: true;
  check(): Promise<{ ok: boolean; detail: string }>;
};
