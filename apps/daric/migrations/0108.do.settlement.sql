-- The operator's orders to the settlement role: one row. `asked_at` asks for a plan now; what was confirmed up to `sweep_all_before` is
-- swept where it is worth more than its price.
create table settlement_control (
  one boolean primary key default true check (one),
  paused_at timestamptz,
  pause_reason text collate "C",
  asked_at timestamptz,
  sweep_all_before timestamptz,
  check ((paused_at is null) = (pause_reason is null))
);
insert into settlement_control default values;

-- The price of the first sweep of an address with this coin, and the sums from which it is made. The settlement role writes what it finds.
-- `price` is in sun, `price_usd_e8` in 10^-8 USD, the sums in units of the coin. Null: no rate is known.
create table sweep_terms (
  currency text collate "C" primary key check (currency in ('USDT', 'TRX')),
  price numeric not null check (price >= 0),
  price_usd_e8 numeric,
  pays_from numeric,
  old_pays_from numeric,
  old_after_ms bigint not null,
  found_at timestamptz not null,
  check ((pays_from is null) = (old_pays_from is null))
);

-- The sweeps of one plan for a merchant, a currency and a settlement account.
create table settlements (
  merchant_id uuid not null,
  id uuid not null,
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  settlement_account_id uuid not null,
  status text collate "C" not null check (status in ('OPEN', 'COMPLETED', 'FAILED')),
  failure_reason text collate "C",
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_account_id) references settlement_accounts,
  check ((status = 'OPEN') = (ended_at is null))
);
create index settlements_newest on settlements (merchant_id, created_at desc, id desc);
create index settlements_open on settlements (merchant_id, id) where status = 'OPEN';

-- One transfer out of a deposit address. `price` is what it is planned to burn, in sun. `due_at` is when it is looked at next.
-- `top_up_units` is sent to the address before, in sun; `energy` and `fee_limit` (sun) are what the transfer may take. `is_offline`: a
-- signer without a network signs it. `daric sweep export` plans it, and no running signer is ever asked for it: it is PLANNED until `daric
-- sweep import` brings its signed transactions, or until they could land no more.
create table sweeps (
  merchant_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  deposit_address_id uuid not null,
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  recipient text collate "C" not null check (recipient in ('merchant', 'operator')),
  destination text collate "C" not null check (destination ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  units bigint not null check (units > 0),
  resources text collate "C" not null check (resources in ('delegate', 'burn')),
  price bigint not null check (price >= 0),
  status text collate "C" not null check (status in ('PLANNED', 'ACTIVATING', 'RESOURCED', 'SIGNED', 'SENT', 'SOLID', 'RECLAIMED',
    'WAITING', 'RETRY', 'FROZEN', 'DROPPED')),
  reason text collate "C",
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  top_up_units bigint not null default 0 check (top_up_units >= 0),
  energy bigint not null default 0 check (energy >= 0),
  fee_limit bigint not null default 0 check (fee_limit >= 0),
  is_offline boolean not null default false,
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_id) references settlements,
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  check (status not in ('WAITING', 'RETRY', 'FROZEN') or reason is not null)
) with (fillfactor = 70);
create unique index sweeps_one_of_address on sweeps (merchant_id, deposit_address_id)
  where status not in ('RECLAIMED', 'DROPPED');
create index sweeps_newest on sweeps (merchant_id, created_at desc, id desc);
create index sweeps_of_settlement on sweeps (merchant_id, settlement_id, id);
create index sweeps_due on sweeps (due_at, merchant_id) where status not in ('RECLAIMED', 'DROPPED');
create index sweeps_exported on sweeps (merchant_id, id) where is_offline and status = 'PLANNED';

-- A transaction of a sweep: the transfer itself, or one that prepares its address. One that takes back a delegation that no sweep of ours
-- explains is of no sweep. `id` is that of its signing request. Its bytes and their id are stored before a node is given them. `block_*` is
-- the block of our chain that has it; `outcome` is final.
create table sweep_transactions (
  merchant_id uuid not null,
  id uuid not null,
  sweep_id uuid,
  purpose text collate "C" not null check (purpose in ('sweep', 'top_up', 'delegate', 'undelegate')),
  tx_id text collate "C" check (tx_id ~ '^[0-9a-f]{64}$'),
  bytes bytea,
  expires_at timestamptz not null,
  sent_at timestamptz,
  block_number bigint,
  block_id text collate "C",
  is_successful boolean,
  -- sun that the chain took of its sender
  fee_units bigint check (fee_units >= 0),
  outcome text collate "C" check (outcome in ('landed', 'failed', 'expired', 'refused')),
  created_at timestamptz not null default now(),
  deposit_address_id uuid not null,
  primary key (merchant_id, id),
  unique (merchant_id, tx_id),
  foreign key (merchant_id, sweep_id) references sweeps,
  check ((tx_id is null) = (bytes is null)),
  check ((block_number is null) = (block_id is null))
) with (fillfactor = 70);
create index sweep_transactions_of_sweep on sweep_transactions (merchant_id, sweep_id);
create index sweep_transactions_by_tx_id on sweep_transactions (tx_id) where tx_id is not null;
create index sweep_transactions_open on sweep_transactions (merchant_id, id) where outcome is null;
create index sweep_transactions_uncosted on sweep_transactions (merchant_id, id)
  where purpose in ('delegate', 'undelegate') and outcome = 'landed' and fee_units is null;
