import type { ReadinessCheck } from "../../runtime/readiness-check.ts";
import type { WatcherContext } from "../context.ts";
import { findHalt } from "../verify/halt-store.ts";
import { ScanHaltedError } from "../verify/solid-contradiction.ts";

export function haltCheck({ db, config }: Pick<WatcherContext, "db" | "config">): ReadinessCheck {
  return {
    name: "halt",
    check: async () => {
      const halt = await findHalt(db, config.chain.network);
      if (halt === undefined) return { ok: true, detail: "reading is not halted" };
      if (halt.resumedAt !== null)
        return {
          ok: false,
          detail: "an operator resumed the scan; it continues with the watcher's next step",
        };
      return { ok: false, detail: new ScanHaltedError(halt).message };
    },
  };
}
