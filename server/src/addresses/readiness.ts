import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { GuardContext } from "./context.ts";
import { countUnwatched } from "./skipped-store.ts";

/** Whether the watcher has taken in what was jumped over. Never a reason not to serve: orders do not wait for it. */
export function addressCheck({ db }: Pick<GuardContext, "db">): ReadinessCheck {
  return {
    name: "addresses",
    check: async () => {
      const count = await countUnwatched(db);
      const rest = `${count} addresses that were jumped over are not watched yet: orders are taken, and the watcher reads on once they are`;
      return { ok: true, detail: count === 0 ? "all that may have been issued are watched" : rest };
    },
  };
}
