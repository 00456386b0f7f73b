import { durationMs, setting } from "../runtime/setting.ts";

/** How fast the books are looked at beside the work. */
export const doctorSettings = {
  pauseMs: setting({
    env: "AUDIT_PAUSE",
    read: durationMs.prefault("10s"),
    default: "10s",
    roles: ["watcher"],
    meaning:
      "The rest between two parts of the books that the watcher looks at beside its work, over and over: 1,000 addresses, 5,000 deposits or the sums of 5,000 orders each.",
  }),
};
