-- A deposit is one on-chain transfer to one of our addresses; its identity is the unique key, of which `id` is a function. `late` and
-- `past_window` say that its block was made after the charge's `expires_at` and `late_until`. `unpaid_block_id` is the block that has its
-- transaction and did not pay it, met while its own block is off the chain. `is_merkle_proven`: the root of its block covers it, as for a
-- native transfer or a direct call of the token's transfer. Of any other only nodes can tell, and one alone must also show what lies on the
-- address. `quote_id` is the quote that it is judged by. Null: the charge is not priced in fiat, or the deposit is in the other currency.
-- Without a foreign key, so that deposits without a quote cost nothing: the quote is there before, and none is ever deleted. `share` is its
-- part of what that quote says is due, in 10^-18, rounded up. An operator's `decision`: `accepted` counts as proven in the block that it
-- was accepted in; `rejected` fails with the watcher's next look, and no block brings it back. `dust` is too small to count: it is recorded
-- and booked, and decides nothing.
create table deposits (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  network text collate "C" not null,
  tx_id text collate "C" not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text collate "C" not null check (source in ('transfer', 'log', 'internal')),
  event_index integer not null check (event_index >= 0),
  chain text collate "C" not null default 'tron' check (chain = 'tron'),
  address text collate "C" not null,
  from_address text collate "C",
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  status text collate "C" not null
    check (status in ('DETECTED', 'CONFIRMING', 'CONFIRMED', 'STUCK', 'REORG_PENDING', 'FAILED')),
  block_number bigint not null,
  block_id text collate "C" not null,
  block_time timestamptz not null,
  tx_expires_at timestamptz,
  unpaid_block_id text collate "C",
  required_confirmations integer not null check (required_confirmations > 0),
  final_confirmations integer,
  late boolean not null,
  past_window boolean not null check (late or not past_window),
  unmatched boolean not null,
  stuck_reason text collate "C",
  failure_reason text collate "C",
  detected_at timestamptz not null default now(),
  confirmed_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  quote_id uuid,
  is_merkle_proven boolean not null default true,
  share numeric check (share > 0),
  decision text collate "C" check (decision in ('accepted', 'rejected')),
  dust boolean,
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  unique (merchant_id, tx_id, network, source, event_index, address),
  check ((status = 'CONFIRMED') = (confirmed_at is not null)),
  check ((status = 'CONFIRMED') = (final_confirmations is not null)),
  check ((status = 'FAILED') = (failed_at is not null and failure_reason is not null)),
  check ((failed_at is null) = (failure_reason is null)),
  check (unpaid_block_id is null or status in ('REORG_PENDING', 'FAILED')),
  check ((status = 'STUCK') = (stuck_reason is not null)),
  check (quote_id is null or not unmatched),
  check ((share is null) = (quote_id is null))
) with (fillfactor = 50);
-- Not proven of rows that came before the rule.
alter table deposits
  add constraint deposits_stuck_reason_check check (stuck_reason in ('solidity', 'quorum', 'balance', 'unproven')) not valid,
  add constraint deposits_failure_reason_check check (failure_reason in ('dropped', 'failed_on_chain', 'rejected')) not valid;
-- A deposit changes its status once in the block after its own, and most often that is all. No index knows of a status but by the times at
-- which it became final, and half of a page is free. So the change costs no entry of any index.
create index deposits_newest on deposits (merchant_id, created_at desc, id desc);
create index deposits_newest_of_currency on deposits (merchant_id, currency, created_at desc, id desc);
create index deposits_newest_open on deposits (merchant_id, created_at desc, id desc)
  where confirmed_at is null and failed_at is null;
create index deposits_newest_confirmed on deposits (merchant_id, created_at desc, id desc) where confirmed_at is not null;
create index deposits_newest_failed on deposits (merchant_id, created_at desc, id desc) where failed_at is not null;
create index deposits_of_address on deposits (merchant_id, deposit_address_id, unmatched, created_at desc, id desc);
create index deposits_open_of_address on deposits (merchant_id, deposit_address_id, created_at desc, id desc)
  where not unmatched and confirmed_at is null and failed_at is null;
-- An event names the largest deposits of an order.
create index deposits_largest_of_address on deposits (merchant_id, deposit_address_id, units desc, id)
  where confirmed_at is not null and not unmatched;
-- Where one address has nearly all deposits, a sample says that there are few addresses: every plan for another one would be made anew, for
-- a table that is not this one. There are about half as many addresses as deposits.
alter table deposits alter column deposit_address_id set (n_distinct = -0.5);

-- Every deposit that is not final, in its status and block: what the chain does is done to deposits that are found here, for it says
-- nothing of merchants. A row is written by the statement that changes its deposit, and goes when that is final.
create table open_deposits (
  network text collate "C" not null,
  status text collate "C" not null check (status in ('DETECTED', 'CONFIRMING', 'STUCK', 'REORG_PENDING')),
  block_number bigint not null,
  merchant_id uuid not null,
  deposit_id uuid not null,
  is_merkle_proven boolean not null default true,
  primary key (network, merchant_id, deposit_id)
) with (fillfactor = 70);
create index open_deposits_by_block on open_deposits (network, status, block_number, merchant_id);
-- What waits for the nodes, however much else is open.
create index open_deposits_unproven on open_deposits (network, block_number) where not is_merkle_proven;

-- Why a deposit is confirmed or waits: one row per deposit and check, about the block that the deposit was in then.
create table deposit_checks (
  merchant_id uuid not null,
  deposit_id uuid not null,
  name text collate "C" not null check (name in ('solidity', 'quorum', 'balance')),
  block_id text collate "C" not null,
  result text collate "C" not null check (result in ('passed', 'waiting')),
  detail text collate "C" not null,
  -- since when the result is this one
  since timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  primary key (merchant_id, deposit_id, name)
);

-- The history of every deposit: the row in `deposits` can be rebuilt from it. Append-only, by month; `id` is the order of what happened to
-- one deposit. A role that may add a row may number it, so that the table's grants say it all. Without a foreign key: a row is written from
-- its deposit by the statement that changes that, and no deposit is ever deleted.
create sequence deposit_events_id;
grant usage on sequence deposit_events_id to public;
create table deposit_events (
  merchant_id uuid not null,
  deposit_id uuid not null,
  id bigint not null default nextval('deposit_events_id'),
  event text collate "C" not null,
  from_status text collate "C",
  to_status text collate "C" not null,
  block_number bigint not null,
  block_id text collate "C" not null,
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
  network text collate "C" not null,
  tx_id text collate "C" not null,
  source text collate "C" not null,
  event_index integer not null,
  contract text collate "C" not null,
  raw_value text collate "C" not null,
  block_number bigint not null,
  block_id text collate "C" not null,
  created_at timestamptz not null default now(),
  address text collate "C",
  from_address text collate "C",
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  unique (merchant_id, network, tx_id, source, event_index)
);
create index unsupported_transfers_newest on unsupported_transfers (merchant_id, created_at desc, id desc);
