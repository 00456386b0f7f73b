-- What left our addresses, from the blocks that were read. A row is of the block that it was read in last, and has no status of its own: it
-- counts while that block is in the chain (`blocks.orphaned_at`).
create table outflows (
  merchant_id uuid not null,
  network text collate "C" not null,
  tx_id text collate "C" not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text collate "C" not null check (source in ('transfer', 'log', 'internal')),
  event_index integer not null check (event_index >= 0),
  deposit_address_id uuid not null,
  address text collate "C" not null,
  to_address text collate "C" not null,
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  is_merkle_proven boolean not null,
  block_number bigint not null,
  block_id text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, network, tx_id, source, event_index, address)
);
create index outflows_of_address on outflows (merchant_id, address, block_number);

-- Outflows that the ledger does not have yet, as a line of its own or as a sweep's: the directory that finds them by block, of all
-- merchants. Written by the statement that writes the outflow.
create table open_outflows (
  network text collate "C" not null,
  block_number bigint not null,
  block_id text collate "C" not null,
  merchant_id uuid not null,
  tx_id text collate "C" not null,
  source text collate "C" not null,
  event_index integer not null,
  address text collate "C" not null,
  primary key (merchant_id, network, tx_id, source, event_index, address)
);
create index open_outflows_by_block on open_outflows (network, block_number);

-- What our addresses signed, from the blocks that were read, whether it succeeded or failed and whether it moved anything. As of outflows, a
-- row counts while its block is in the chain. `most_burnt`: sun that its fees took at most, by what the root of its block covers.
-- `returned`: sun that came back to the address by no transfer (unstaked, rewards), by what one node says. A top-up stands among an
-- address's own transactions: the gas wallet sent it, and `returned` is what it brought. `fee_units` is what the chain took of the sender,
-- in sun, and `is_booked` says that the ledger has it.
create table own_transactions (
  merchant_id uuid not null,
  network text collate "C" not null,
  tx_id text collate "C" not null check (tx_id ~ '^[0-9a-f]{64}$'),
  deposit_address_id uuid not null,
  address text collate "C" not null,
  most_burnt numeric not null check (most_burnt >= 0),
  returned numeric not null check (returned >= 0),
  block_number bigint not null,
  block_id text collate "C" not null,
  created_at timestamptz not null default now(),
  is_top_up boolean not null default false,
  fee_units bigint check (fee_units >= 0),
  is_booked boolean not null default false,
  primary key (merchant_id, network, tx_id)
);
create index own_transactions_of_address on own_transactions (merchant_id, address, block_number);
create index own_transactions_unbooked on own_transactions (network, block_number, merchant_id) where not is_booked;

-- Each row moves one amount, in minor units, from the credited account to the debited one, so that all accounts together are always zero. A
-- transaction is one or more lines. Its id is the id of its deposit, or derives from its cause, so that nothing is booked twice. Every line
-- is about one deposit address. Rows are never changed and never deleted. `sweep_id` and `tx_id` name the sweep and the chain's
-- transaction; `tx_id` is null for a deposit, whose row has it.
create table ledger_entries (
  merchant_id uuid not null,
  deposit_address_id uuid not null,
  transaction_id uuid not null,
  line smallint not null check (line >= 0),
  kind text collate "C" not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  sweep_id uuid,
  tx_id text collate "C" check (tx_id ~ '^[0-9a-f]{64}$'),
  booked_at timestamptz not null default now(),
  primary key (merchant_id, deposit_address_id, transaction_id, line),
  constraint ledger_entries_accounts check (
    (kind = 'deposit' and debit = 'on_addresses' and credit = 'merchant')
    or (kind = 'unmatched' and debit = 'on_addresses' and credit = 'merchant')
    or (kind = 'fee' and debit = 'merchant' and credit = 'operator_fees')
    or (kind = 'fixed_fee' and debit = 'merchant' and credit = 'operator_fees')
    or (kind = 'sweep_sent' and debit = 'in_flight' and credit = 'on_addresses')
    or (kind = 'sweep_landed' and debit = 'merchant' and credit = 'in_flight')
    or (kind = 'sweep_landed' and debit = 'operator_fees' and credit = 'in_flight')
    or (kind = 'sweep_returned' and debit = 'on_addresses' and credit = 'in_flight')
    or (kind = 'top_up' and debit = 'on_addresses' and credit = 'gas')
    or (kind = 'activation' and debit = 'network_cost' and credit = 'gas')
    or (kind = 'gas_burn' and debit = 'network_cost' and credit = 'on_addresses')
    or (kind = 'deposit_burn' and debit = 'network_cost' and credit = 'on_addresses')
    or (kind = 'excess' and debit = 'on_addresses' and credit = 'suspense')
    or (kind = 'outflow' and debit = 'merchant' and credit = 'on_addresses')
    or (kind = 'outflow' and debit = 'operator_fees' and credit = 'on_addresses')
    or (kind = 'outflow' and debit = 'suspense' and credit = 'on_addresses'))
);
-- For a merchant's statement; and for the fixed fee that an order has borne.
create index ledger_entries_of_statement on ledger_entries (merchant_id, booked_at, transaction_id, line)
  where 'merchant' in (debit, credit);
create index ledger_entries_fixed_fee on ledger_entries (merchant_id, deposit_address_id) where kind = 'fixed_fee';

-- The sums of the lines of a month (of `booked_at`, in UTC) and their number, by kind and accounts: written by the statement that books
-- them. Every balance is a sum of a few of these rows.
create table ledger_totals (
  merchant_id uuid not null,
  month date not null check (extract(day from month) = 1),
  currency text collate "C" not null,
  kind text collate "C" not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  units numeric not null,
  lines bigint not null check (lines >= 0),
  primary key (merchant_id, month, currency, kind, debit, credit)
) with (fillfactor = 50);

-- The content of a deposit address by the ledger, in minor units: written by the statement that books it. `units` is confirmed and not
-- swept, `gas_units` is left of top-ups, `suspense_units` has no explanation. `oldest_at` is the time since which `units` is above zero. An
-- address without a row holds nothing.
create table address_contents (
  merchant_id uuid not null,
  deposit_address_id uuid not null,
  currency text collate "C" not null,
  units numeric not null default 0,
  gas_units numeric not null default 0,
  suspense_units numeric not null default 0,
  oldest_at timestamptz,
  primary key (merchant_id, deposit_address_id, currency)
);
-- For the planner: the largest contents first, with their age; of a merchant, and of all.
create index address_contents_to_sweep on address_contents (merchant_id, currency, units desc, deposit_address_id)
  include (oldest_at) where units > 0;
create index address_contents_most on address_contents (currency, units desc) include (oldest_at) where units > 0;
