import type { Grants } from "@daric/postgres/grants";
import { alertGrants } from "./alert-grants.ts";
import { peopleGrants } from "./people-grants.ts";

/** The terms of a merchant that people may set: all but fees. */
const merchantTerms = [
  "name",
  "logo_url",
  "logo_id",
  "support_email",
  "support_url",
  "accent_color",
  "checkout_languages",
  "fee_mode",
  "order_lifetime_seconds",
  "open_lifetime_seconds",
  "late_window_seconds",
  "underpayment_tolerance_basis_points",
  "active_address_cap",
] as const;

/**
 * The columns that the service's role may write; it may read every table. Attempts and the history of deposits are append-only.
 * The destination of a payment (address, index, token, merchant, settlement account, fee terms) is written once. So is its
 * identity (transaction, source, index). Only the owner of the tables writes fee terms and settlement accounts.
 */
export const grants = {
  deployment: {
    update: [
      "environment",
      "network",
      "genesis_id",
      "pepper_check",
      "master_key_check",
      "integrity_check",
      "account_xpub_check",
    ],
  },
  leases: { insert: true, update: ["holder", "epoch", "expires_at", "renewals", "is_free"] },
  list_counts: { insert: true, update: ["rows"] },

  // The columns that forms of the dashboard write. Only the owner of the tables writes fees and wallets.
  merchants: {
    insert: ["id", ...merchantTerms],
    update: [...merchantTerms, "suspended_at", "terms_version", "updated_at"],
  },
  logos: { insert: true, update: ["created_at"] },
  api_keys: { insert: true, update: ["last_used_at", "expires_at", "revoked_at"] },
  api_key_directory: { insert: true },
  payment_notes: { insert: true },
  search_terms: { insert: true },
  search_progress: { insert: true, update: ["after_at", "after_id", "rows", "restarted_at"] },
  wallet_requests: {
    insert: ["merchant_id", "id", "address", "label", "person_id"],
    update: ["withdrawn_at"],
  },
  settlement_accounts: {},
  ...alertGrants,
  ...peopleGrants,

  account_keys: { insert: true, update: ["next_index", "gaps", "reserved_in"] },
  address_directory: { insert: true },
  index_gaps: { insert: true, update: ["is_watched"] },
  unattributed_transfers: { insert: true, update: ["block_number", "block_id", "block_time", "units"] },
  deposit_addresses: {
    insert: true,
    update: [
      "status",
      "paid_at",
      "archives_at",
      "accepted_at",
      "accept_reason",
      "expires_at",
      "late_until",
      "newest_quote_id",
      "quote_expires_at",
      "quote_rate_e4",
      "quote_source",
      "expected_units",
      "pay_units",
      "updated_at",
    ],
  },
  active_charge_counts: { insert: true, update: ["active", "expires_from"] },
  token_directory: { insert: true },
  charge_sums: {
    insert: true,
    update: [
      "confirmed",
      "confirmed_on_time",
      "confirmed_in_window",
      "pending",
      ...([
        "confirmed_share",
        "confirmed_on_time_share",
        "confirmed_in_window_share",
        "pending_share",
      ] as const),
      "unmatched",
      ...(["dust", "dust_on_time", "dust_pending", "dust_unmatched", "dust_deposits"] as const),
      "detected",
      "confirming",
      "open_on_time",
      "open",
      "newest_deposit_id",
      "newest_deposit_at",
      "newest_block_time",
    ],
  },
  quotes: { insert: true },
  rates: { insert: true },

  blocks: {
    insert: true,
    update: ["orphaned_at", "transfer_count", "infos_digest", "source_node", "leader_epoch", "scanned_at"],
  },
  scan_cursors: {
    insert: true,
    update: [
      "number",
      "block_id",
      "time",
      "solid_number",
      "solid_time",
      "blocks_without_internals",
      "leader_epoch",
      "updated_at",
    ],
  },
  scan_halts: { insert: true, update: ["resumed_at", "ended_at", "ancestor"] },
  accepted_blocks: { insert: true },
  audit_log: { insert: true },
  deposit_checks: {
    insert: true,
    update: ["block_id", "result", "detail", "since", "checked_at"],
  },
  rescans: {
    insert: true,
    update: [
      "next_number",
      "status",
      "blocks_read",
      "blocks_added",
      "deposits_added",
      "blocks_differing",
      "differing",
      "note",
      "finished_at",
      "updated_at",
    ],
  },
  rescan_nodes: { insert: true, update: ["blocks_shown", "blocks_not_shown", "reason"] },
  deposits: {
    insert: true,
    update: [
      "status",
      "stuck_reason",
      "confirmed_at",
      "final_confirmations",
      "failed_at",
      "failure_reason",
      "from_address",
      "currency",
      "units",
      "block_number",
      "block_id",
      "block_time",
      "tx_expires_at",
      "is_merkle_proven",
      "decision",
      "late",
      "past_window",
      "unmatched",
      "dust",
      "quote_id",
      "share",
      "unpaid_block_id",
      "updated_at",
    ],
  },
  archive_queue: { insert: true, update: ["archives_from"] },
  open_deposits: { insert: true, update: ["status", "block_number", "is_merkle_proven"], delete: true },
  deposit_events: { insert: true },
  unsupported_transfers: { insert: true },
  outflows: {
    insert: true,
    update: ["to_address", "currency", "units", "is_merkle_proven", "block_number", "block_id"],
  },
  open_outflows: { insert: true, update: ["block_number", "block_id"], delete: true },
  own_transactions: {
    insert: true,
    update: ["most_burnt", "returned", "block_number", "block_id", "fee_units", "is_booked"],
  },

  ledger_entries: { insert: true },
  ledger_totals: { insert: true, update: ["units", "lines"] },
  address_contents: { insert: true, update: ["units", "gas_units", "suspense_units", "oldest_at"] },
  settlements: { insert: true, update: ["status", "failure_reason", "ended_at"] },
  sweeps: {
    insert: true,
    update: [
      "units",
      "resources",
      "price",
      "top_up_units",
      "energy",
      "fee_limit",
      "status",
      "reason",
      "attempts",
      "due_at",
      "updated_at",
    ],
  },
  sweep_transactions: {
    insert: true,
    update: [
      "tx_id",
      "bytes",
      "sent_at",
      "block_number",
      "block_id",
      "is_successful",
      "fee_units",
      "outcome",
    ],
  },
  settlement_control: {},
  sweep_terms: {
    insert: true,
    update: ["price", "price_usd_e8", "pays_from", "old_pays_from", "old_after_ms", "found_at"],
  },
  signing_requests: { insert: true },
  signing_results: {},
  signer_destinations: {},
  signer_state: {},

  webhook_endpoints: {
    insert: true,
    update: [
      "url",
      "description",
      "event_types",
      "is_active",
      "resumed_at",
      "lined_up_until",
      "deleted_at",
      "secret_ciphertext",
      "secret_generation",
      "previous_secret_ciphertext",
      "previous_secret_expires_at",
      "updated_at",
    ],
  },
  endpoint_queue: { insert: true, update: ["due_at"] },
  endpoint_health: {
    insert: true,
    update: ["last_success_at", "failing_since", "failed_attempts", "probe_at"],
  },
  endpoint_changes: { insert: true, delete: true },
  endpoint_attempt_counts: { insert: true, update: ["attempts", "accepted"] },
  event_positions: { insert: true, update: ["last_position"] },
  // Without the time, which distinguishes rows from before the MACs; those are sent without one.
  webhook_events: { insert: ["merchant_id", "id", "type", "resource_id", "sequence", "mac", "position"] },
  webhook_event_bodies: { insert: ["merchant_id", "event_id", "body"] },
  webhook_deliveries: {
    insert: true,
    update: [
      "status",
      "next_attempt_at",
      "lease_until",
      "lease_number",
      "attempt_count",
      "was_resent",
      "expires_at",
      "last_status_code",
      "last_error",
      "updated_at",
    ],
  },
  webhook_attempts: { insert: true },

  schema_version: {},
} as const satisfies Grants;

/** The append-only tables. */
export const appendOnlyTables = Object.entries<Grants[string]>(grants)
  .filter(([, { insert, update, delete: deletes }]) => insert && !update && !deletes)
  .map(([table]) => table);
