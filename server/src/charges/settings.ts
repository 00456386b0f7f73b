import { durationMs, setting } from "../runtime/setting.ts";

/** How long charges stay. */
export const chargeSettings = {
  archiveAfterMs: setting({
    env: "ARCHIVE_AFTER",
    read: durationMs.prefault("30d"),
    default: "30d",
    roles: ["watcher"],
    meaning: "An expired charge without deposits for this long is archived. Its address stays watched.",
  }),
};
