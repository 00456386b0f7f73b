-- Text compares as bytes, so no index trusts the order of the database, which changes with the library of its machine. Without the
-- large tables, which `daric migrate` changes before this, each with a lock of its own.

-- Citus changes a table on every node, and the tables that refer to it, in one transaction.
set local citus.multi_shard_modify_mode = 'sequential';

do $$
declare
  changed record;
  -- Tables of other programs may stand beside these.
  ours text[] := regexp_split_to_array('
    accepted_blocks, account_keys, address_contents, alert_messages, alert_occurrences, alert_samples,
    api_key_directory, api_keys, audit_log, blocks, deployment, deposit_addresses, deposit_checks, deposit_events,
    deposits, leases, ledger_entries, ledger_totals, list_counts, logos, memberships, merchants, one_time_links,
    open_deposits, open_outflows, outflows, own_transactions, passkeys, payment_notes, people, quotes, rates,
    rescan_nodes, rescans, scan_cursors, scan_halts, schema_version, search_progress, sessions, settlement_accounts,
    settlement_control, settlements, signer_destinations, signing_requests, signing_results, sweep_terms,
    sweep_transactions, sweeps, unattributed_transfers, unsupported_transfers, wallet_requests, webhook_attempts,
    webhook_deliveries, webhook_endpoints, webhook_events', '[\s,]+');
begin
  for changed in
    select attrelid::regclass as name,
      string_agg(format('alter column %I type %s collate "C"', attname, format_type(atttypid, atttypmod)), ', ') as actions
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relname = any(ours) and attnum > 0 and not attisdropped
      and attcollation = 'pg_catalog.default'::regcollation
    group by attrelid
  loop
    execute format('alter table %s %s', changed.name, changed.actions);
  end loop;
end $$;
