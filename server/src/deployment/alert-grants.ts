import type { Grants } from "@daric/postgres/grants";

/** The rights that the notifier's writes need. */
export const alertGrants = {
  alert_samples: { insert: ["process", "samples"], delete: true },
  alert_occurrences: {
    insert: true,
    update: ["summary", "true_at", "started_at", "ended_at"],
    delete: true,
  },
  alert_messages: {
    insert: true,
    update: ["due_at", "attempts", "sent_at", "given_up_at", "last_error"],
    delete: true,
  },
} as const satisfies Grants;
