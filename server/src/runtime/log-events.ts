/** Events that must never happen. Each alarm is counted in `daric_alarms_total` and logged as an error under the same name. */
export const alarmNames = [
  "solid_contradiction",
  "failed_deposit_in_chain",
  "index_gap",
  "unattributed_transfer",
  "rescan_differs",
  "ahead_of_clock",
  "incomplete_block",
  "omitted_transfer",
  "single_node_transfer",
  "unexplained_outflow",
  "unexplained_money",
  "address_short",
  "wallet_changed",
  "sweep_frozen",
  "signing_refused",
  "new_destination",
  "address_refused",
  "person_refused",
  "event_refused",
  "audit_violation",
] as const;

/** Reasons not to start. The sentence on standard error ends with the name in brackets. */
export const startRefusals = [
  "port_in_use",
  "listen_refused",
  "unknown_role",
  "database_unfit",
  "schema_mismatch",
  "other_deployment",
  "wrong_chain",
  "xpub_in_use",
] as const;

/** Outages: a warning at the start, one a minute while it lasts, and one at the end. */
export const outages = [
  "database_unreachable",
  "database_slow",
  "network_unverified",
  "node_unreachable",
] as const;

/**
 * The stable name of every warning and error: the field `event` of its log line. An operator looks it up in
 * docs/operations.md, where each name has a section. Sentences may change; these names do not.
 */
export const logEvents = [
  ...alarmNames,
  ...startRefusals,
  ...outages,
  "configuration_warning",
  "open_files_low",
  "shutdown_cut_off",
  "shutdown_failed",
  "worker_waiting",
  "worker_failed",
  "worker_thread_died",
  "database_connection_lost",
  "scanner_blocked",
  "network_check_failed",
  "node_unusable",
  "node_without_solid_blocks",
  "no_solidity",
  "contradicts_ours",
  "nodes_lagging",
  "node_behind",
  "forks_repeated",
  "fork_followed",
  "fork_withdrawn",
  "internal_transactions_missing",
  "blocks_not_kept",
  "lease_lost",
  "scan_resumed",
  "block_override_used",
  "block_comparison_failed",
  "second_reading_failed",
  "solid_block_incomplete",
  "rescan_failed",
  "rescan_stopped",
  "rescan_found_payments",
  "deposit_stuck",
  "deposit_reorg_pending",
  "deposit_failed",
  "sweep_failed",
  "sweep_not_taken",
  "gas_wallet_short",
  "signer_silent",
  "transfer_refused",
  "duplicate_transfer",
  "unsupported_token",
  "address_history_unknown",
  "address_check_failed",
  "addresses_not_derived",
  "webhook_not_signed",
  "webhook_not_recorded",
  "webhook_endpoint_disabled",
  "webhook_attempt_unknown",
  "webhook_body_missing",
  "private_targets_allowed",
  "rate_unavailable",
  "rate_source_failed",
  "rate_not_recorded",
  "connection_limit_reached",
  "forwarded_address_unreadable",
  "sign_in_failed",
  "connection_not_accepted",
  "connection_handler_failed",
  "request_failed",
  "key_use_not_recorded",
  "checkout_not_shown",
  "checkout_poll_failed",
  "dashboard_poll_failed",
  "alert_not_sent",
  "mail_not_sent",
  "heartbeat_failed",
] as const;

export type LogEvent = (typeof logEvents)[number];

export type OutageEvent = (typeof outages)[number];

export type StartRefusal = (typeof startRefusals)[number] | "database_unreachable";
