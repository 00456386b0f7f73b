import type { Done } from "./generator.ts";

/** A command to the fleet: open one socket per path, `atOnce` at a time, or wait until each has received a message. */
export type FleetReport =
  | { readonly open: { readonly port: number; readonly paths: readonly string[]; readonly atOnce: number } }
  | { readonly listen: true };

/** `lastMs` is the Unix time of the last message; `why` the first error. */
export type FleetDone = Done & { readonly failed: number; readonly lastMs: number; readonly why?: string };
