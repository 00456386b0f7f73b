import type { Done } from "./generator.ts";

/** What a fleet of sockets is told to do: to open one of each path, or to wait until each has heard something. */
export type FleetTold =
  | { readonly open: { readonly port: number; readonly paths: readonly string[] } }
  | { readonly hear: true };

/** `lastMs` is when the last one was told something, in milliseconds since 1970. */
export type FleetDone = Done & { readonly failed: number; readonly lastMs: number };
