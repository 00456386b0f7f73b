-- The blocks that were read whole and believed, linked by parent. A block that left the chain is kept with
-- `orphaned_at`; at most one block of a height is in the chain.
create table blocks (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  network text not null,
  number bigint not null check (number >= 0),
  parent_id text not null,
  time timestamptz not null,
  transaction_count integer not null check (transaction_count >= 0),
  transfer_count integer not null check (transfer_count >= 0),
  leader_epoch bigint not null check (leader_epoch > 0),
  scanned_at timestamptz not null default now(),
  orphaned_at timestamptz
);
create unique index blocks_in_chain on blocks (network, number) where orphaned_at is null;

-- How far the chain has been read (`number`, `block_id`), moved only by the transaction that stores the block and its
-- deposits; and how far the chain says it is final (`solid_*`), which only grows.
create table scan_cursors (
  network text primary key,
  number bigint not null,
  block_id text not null,
  time timestamptz not null,
  solid_number bigint not null default 0,
  solid_time timestamptz,
  leader_epoch bigint not null check (leader_epoch > 0),
  updated_at timestamptz not null default now()
);

-- A deposit is one on-chain transfer to one of our addresses; its identity is the unique key, of which `id` is a function.
-- `unpaid_block_id` is the block that has its transaction and did not pay it, met while its own block is off the chain. `late` and `past_window` say
-- that its block was made after the charge's `expires_at` and `late_until`.
create table deposits (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  network text not null,
  tx_id text not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('transfer', 'log', 'internal')),
  event_index integer not null check (event_index >= 0),
  chain text not null default 'tron' check (chain = 'tron'),
  address text not null,
  from_address text,
  currency text not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  status text not null
    check (status in ('DETECTED', 'CONFIRMING', 'CONFIRMED', 'STUCK', 'REORG_PENDING', 'FAILED')),
  block_number bigint not null,
  block_id text not null,
  block_time timestamptz not null,
  tx_expires_at timestamptz,
  unpaid_block_id text,
  required_confirmations integer not null check (required_confirmations > 0),
  final_confirmations integer,
  late boolean not null,
  past_window boolean not null check (late or not past_window),
  unmatched boolean not null,
  stuck_reason text check (stuck_reason in ('solidity', 'quorum', 'balance')),
  failure_reason text check (failure_reason in ('dropped', 'failed_on_chain')),
  detected_at timestamptz not null default now(),
  confirmed_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  unique (merchant_id, tx_id, network, source, event_index, address),
  check ((status = 'CONFIRMED') = (confirmed_at is not null)),
  check ((status = 'CONFIRMED') = (final_confirmations is not null)),
  check ((status = 'FAILED') = (failed_at is not null and failure_reason is not null)),
  check ((failed_at is null) = (failure_reason is null)),
  check (unpaid_block_id is null or status in ('REORG_PENDING', 'FAILED')),
  check ((status = 'STUCK') = (stuck_reason is not null))
) with (fillfactor = 50);
-- A deposit changes its status once in the block after its own, and most often there is nothing else to it: no index knows of
-- a status but by the times at which it became final, and half of a page is free, so that the change costs no entry of any.
create index deposits_newest on deposits (merchant_id, created_at desc, id desc);
create index deposits_newest_of_currency on deposits (merchant_id, currency, created_at desc, id desc);
create index deposits_newest_open on deposits (merchant_id, created_at desc, id desc)
  where confirmed_at is null and failed_at is null;
create index deposits_newest_confirmed on deposits (merchant_id, created_at desc, id desc) where confirmed_at is not null;
create index deposits_newest_failed on deposits (merchant_id, created_at desc, id desc) where failed_at is not null;
create index deposits_of_address on deposits (merchant_id, deposit_address_id, unmatched, created_at desc, id desc);
create index deposits_open_of_address on deposits (merchant_id, deposit_address_id, created_at desc, id desc)
  where not unmatched and confirmed_at is null and failed_at is null;
create index deposits_confirmed_of_address on deposits (merchant_id, deposit_address_id, confirmed_at, id)
  where confirmed_at is not null and not unmatched;

-- Where one address has nearly all deposits, a sample says that there are few addresses: every plan for another one would
-- be made anew, for a table that is not this one. There are about half as many addresses as deposits.
alter table deposits alter column deposit_address_id set (n_distinct = -0.5);

-- Every deposit that is not final, in its status and block: what the chain does is done to deposits that are found here,
-- for it says nothing of merchants. A row is written by the statement that changes its deposit, and goes when that is final.
create table open_deposits (
  network text not null,
  status text not null check (status in ('DETECTED', 'CONFIRMING', 'STUCK', 'REORG_PENDING')),
  block_number bigint not null,
  merchant_id uuid not null,
  deposit_id uuid not null,
  primary key (network, merchant_id, deposit_id)
) with (fillfactor = 70);
create index open_deposits_by_block on open_deposits (network, status, block_number, merchant_id);

-- The history of every deposit: the row in `deposits` can be rebuilt from it. Append-only, by month; `id` is the order
-- of what happened to one deposit. Whoever may add a row may number it, so that the table's grants say it all. Without a
-- foreign key: a row is written from its deposit by the statement that changes that, and no deposit is ever deleted.
create sequence deposit_events_id;
grant usage on sequence deposit_events_id to public;
create table deposit_events (
  merchant_id uuid not null,
  deposit_id uuid not null,
  id bigint not null default nextval('deposit_events_id'),
  event text not null,
  from_status text,
  to_status text not null,
  block_number bigint not null,
  block_id text not null,
  units bigint not null,
  leader_epoch bigint not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, deposit_id, id, created_at)
) partition by range (created_at);
create table deposit_events_default partition of deposit_events default;

-- Tokens we do not accept that were sent to our addresses. Never money; kept so that a payer can be answered.
create table unsupported_transfers (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  network text not null,
  tx_id text not null,
  source text not null,
  event_index integer not null,
  contract text not null,
  raw_value text not null,
  block_number bigint not null,
  block_id text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  unique (merchant_id, network, tx_id, source, event_index)
);
