import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { GuardContext } from "./context.ts";
import { countUnwatched } from "./index-gap-store.ts";
import { isOtherDatabase } from "./key-store.ts";

const ALL_WATCHED = "all that may have been issued are watched";
const OTHER_DATABASE =
  "the database was copied, restored or promoted since the last index reservation: the next reservation skips indexes that may be issued";

/** Reports whether the addresses of all index gaps are watched. The check never fails, because orders do not wait for it. */
export function addressCheck({ db }: Pick<GuardContext, "db">): ReadinessCheck {
  return {
    name: "addresses",
    check: async () => {
      const count = await countUnwatched(db);
      const rest = `${count} skipped addresses are not watched yet: orders are taken, and the watcher continues once they are watched`;
      if (count > 0) return { ok: true, detail: rest };
      return { ok: true, detail: (await isOtherDatabase(db)) ? OTHER_DATABASE : ALL_WATCHED };
    },
  };
}
