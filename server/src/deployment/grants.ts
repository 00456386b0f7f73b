import type { Grants } from "@daric/postgres/grants";

/**
 * What the service may write; it may read every table. A table without a line is only read. What is only ever added
 * to (attempts, the history of deposits) is so because nobody but the owner of the tables may do anything else.
 */
export const grants = {
  deployment: ["update"],
  leases: ["insert", "update"],
  list_counts: ["insert", "update"],

  merchants: ["insert", "update"],
  logos: ["insert"],
  api_keys: ["insert", "update"],
  api_key_directory: ["insert"],
  settlement_accounts: ["insert", "update"],

  account_keys: ["insert", "update"],
  address_directory: ["insert"],
  skipped_addresses: ["insert", "update"],
  unassigned_transfers: ["insert", "update"],
  deposit_addresses: ["insert", "update"],
  charge_load: ["insert", "update"],
  token_directory: ["insert"],
  charge_sums: ["insert", "update"],
  quotes: ["insert"],
  rates: ["insert"],

  blocks: ["insert", "update"],
  scan_cursors: ["insert", "update"],
  scan_halts: ["insert", "update"],
  accepted_blocks: ["insert"],
  witness_keys: ["insert", "update", "delete"],
  witness_key_changes: ["insert"],
  witness_pins: ["insert", "update"],
  rescans: ["insert", "update"],
  rescan_nodes: ["insert", "update"],
  deposits: ["insert", "update"],
  archive_work: ["insert", "update"],
  open_deposits: ["insert", "update", "delete"],
  deposit_events: ["insert"],
  unsupported_transfers: ["insert"],
  outflows: ["insert", "update"],
  own_transactions: ["insert", "update"],

  webhook_endpoints: ["insert", "update"],
  endpoint_queue: ["insert", "update"],
  endpoint_changes: ["insert", "update", "delete"],
  webhook_events: ["insert"],
  webhook_event_bodies: ["insert"],
  webhook_deliveries: ["insert", "update"],
  webhook_attempts: ["insert"],

  schema_version: [],
} as const satisfies Grants;

/** The tables to which rows are only ever added. */
export const appendOnlyTables = Object.entries(grants)
  .filter(([, writes]: [string, readonly string[]]) => writes.join() === "insert")
  .map(([table]) => table);
