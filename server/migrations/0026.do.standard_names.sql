-- Tables and columns are named by the terms of docs/glossary.md. Only catalogue entries change: no row is written.
alter table skipped_addresses rename to index_gaps;
alter table index_gaps rename constraint skipped_addresses_pkey to index_gaps_pkey;
alter table index_gaps rename constraint skipped_addresses_account_key_id_fkey to index_gaps_account_key_id_fkey;
alter table index_gaps rename constraint skipped_addresses_first_check to index_gaps_first_check;
alter table index_gaps rename constraint skipped_addresses_count_check to index_gaps_count_check;
alter index skipped_addresses_unwatched rename to index_gaps_unwatched;

-- `gaps`: how often indexes of the key were skipped. `reserved_in`: the database that the last indexes were reserved in.
alter table account_keys rename column jumps to gaps;
alter table account_keys rename column taken_in to reserved_in;

alter table unassigned_transfers rename to unattributed_transfers;
alter table unattributed_transfers rename constraint unassigned_transfers_pkey to unattributed_transfers_pkey;
alter table unattributed_transfers rename constraint unassigned_transfers_tx_id_check to unattributed_transfers_tx_id_check;
alter table unattributed_transfers rename constraint unassigned_transfers_address_check to unattributed_transfers_address_check;
alter table unattributed_transfers rename constraint unassigned_transfers_currency_check to unattributed_transfers_currency_check;
alter table unattributed_transfers rename constraint unassigned_transfers_units_check to unattributed_transfers_units_check;

-- How many active charges each merchant has, and when the next of them expires.
alter table charge_load rename to active_charge_counts;
alter table active_charge_counts rename constraint charge_load_pkey to active_charge_counts_pkey;
alter table active_charge_counts rename constraint charge_load_merchant_id_fkey to active_charge_counts_merchant_id_fkey;
alter index charge_load_due rename to active_charge_counts_due;

-- When the next expired charge of each merchant is to be archived.
alter table archive_work rename to archive_queue;
alter table archive_queue rename constraint archive_work_pkey to archive_queue_pkey;
alter index archive_work_due rename to archive_queue_due;

-- `node_faults`: what each node's response lacked when the operator accepted the block. `source_node`: the node that the block
-- was read from.
alter table accepted_blocks rename column told to node_faults;
alter table blocks rename column told_by to source_node;

-- Whether the block's Merkle root proves the transfer.
alter table deposits rename column is_covered to is_merkle_proven;
alter table open_deposits rename column is_covered to is_merkle_proven;
alter table outflows rename column is_covered to is_merkle_proven;
alter index open_deposits_uncovered rename to open_deposits_unproven;
