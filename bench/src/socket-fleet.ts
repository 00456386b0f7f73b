import type { Done } from "./generator.ts";

/** What a fleet of sockets is told to do: to open one of each path, so many at once, or to wait until each has heard something. */
export type FleetReport =
  | { readonly open: { readonly port: number; readonly paths: readonly string[]; readonly atOnce: number } }
  | { readonly listen: true };

/** `lastMs` is when the last one was told something, in milliseconds since 1970; `why` is what the first that failed said. */
export type FleetDone = Done & { readonly failed: number; readonly lastMs: number; readonly why?: string };
