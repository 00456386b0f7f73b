import { durationMs, setting } from "../runtime/setting.ts";

/** The pace of the continuous audit. */
export const doctorSettings = {
  pauseMs: setting({
    env: "AUDIT_PAUSE",
    read: durationMs.prefault("10s"),
    default: "10s",
    roles: ["watcher"],
    meaning:
      "The time from one part of the watcher's continuous audit to the next. A part is 1,000 addresses, 5,000 deposits or the sums of 5,000 orders. After a long part the pause is a quarter of it.",
  }),
};
