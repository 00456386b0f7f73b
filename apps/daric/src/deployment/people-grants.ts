import type { Grants } from "@daric/postgres/grants";

/** The rights of the service's role on people, their proofs, sessions and memberships, on messages, and on alerts. */
export const peopleGrants = {
  people: {
    insert: ["id", "email", "name", "password_hash"],
    update: [
      "rights_mac",
      "name",
      "password_hash",
      "totp_ciphertext",
      "totp_step",
      "recovery_code_hashes",
      "wrong_codes",
      "wrong_code_at",
      "is_operator",
      "disabled_at",
      "updated_at",
    ],
  },
  passkeys: { insert: true, update: ["counter", "challenged_at", "last_used_at"], delete: true },
  sessions: {
    insert: ["id", "token_hash", "person_id", "address", "user_agent"],
    update: ["token_hash", "seen_at", "reauthenticated_at", "ended_at"],
    delete: true,
  },
  memberships: { insert: true, update: ["role"], delete: true },
  one_time_links: { insert: true, update: ["used_at", "withdrawn_at"] },
  shop_codes: { insert: true, update: ["code_hash", "made_by", "expires_at", "used_at"] },
  alert_samples: { insert: ["process", "samples"], delete: true },
  alert_occurrences: {
    insert: true,
    update: ["summary", "true_at", "started_at", "ended_at", "mac"],
    delete: true,
  },
  messages: {
    insert: true,
    update: ["due_at", "gives_up_at", "attempts", "sent_at", "ended_at", "last_error", "address_hash"],
    delete: true,
  },
  message_choices: {
    insert: true,
    update: ["choices", "every_paid", "quiet_from", "quiet_to", "time_zone", "updated_at"],
  },
  message_channels: {
    insert: true,
    update: ["name", "sealed", "code_hash", "confirmed_at", "failed_at", "failure", "removed_at"],
  },
  mail_stops: { insert: true, update: ["detail", "ends_at"], delete: true },
} as const satisfies Grants;
