-- The account xpubs whose receive addresses this service issues. `next_index` is the first index that nobody has taken; it
-- only grows, so that an index is used once, for ever. `taken_in` is the database that indexes were last taken in, as it
-- names itself (server, timeline, database, table): in another one, a restored or a promoted one, indexes may have been
-- taken that this one knows nothing of, so that `next_index` jumps over them. `jumps` counts how often it has.
create table account_keys (
  id uuid primary key,
  xpub text not null unique,
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  taken_in text,
  jumps integer not null default 0,
  created_at timestamptz not null default now()
);

-- The indexes that were jumped over, in small ranges. The addresses of a range that is watched stand in
-- `address_directory`, without a merchant where no charge has them.
create table skipped_addresses (
  account_key_id uuid not null references account_keys,
  first bigint not null check (first >= 0),
  count bigint not null check (count > 0),
  is_watched boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_key_id, first)
);
create index skipped_addresses_unwatched on skipped_addresses (account_key_id, first) where not is_watched;

-- Whom an address belongs to, for who knows no more than its 20 bytes; written with the charge. One without a merchant was
-- derived and is watched, and is never issued. An address is here once, for ever. No tenant table: it has no foreign keys.
create table address_directory (
  address bytea primary key check (octet_length(address) = 20),
  merchant_id uuid,
  charge_id uuid,
  account_key_id uuid not null,
  derivation_index bigint not null check (derivation_index between 0 and 2147483647),
  check ((merchant_id is null) = (charge_id is null))
);

-- What reached an address that belongs to no merchant: money that somebody has to hand on. A transfer is here once, with
-- the block that it was last seen in; whether that block has become final nobody has checked.
create table unassigned_transfers (
  network text not null,
  tx_id text not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text not null,
  event_index integer not null,
  address bytea not null check (octet_length(address) = 20),
  from_address text,
  currency text not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units >= 0),
  block_number bigint not null,
  block_id text not null,
  block_time timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (network, tx_id, source, event_index, address)
);

-- One row per charge. Amounts are minor units (10^-6) of `currency`. Fee terms, tolerance and windows are frozen at
-- creation. Whether a charge is paid is never stored: it follows from the row and its deposits.
-- Rows are never deleted and an address is never issued twice: money sent to an old address is still found. That an address and
-- a checkout token are of one charge only is held by the directories, which are keyed by them. `paid_at` is when an order's
-- confirmed money first paid it. `archives_at` is when an EXPIRED row may be archived, by the chain's clock: the later of
-- the end of its late window and of its quiet days, which a deposit begins anew.
create table deposit_addresses (
  merchant_id uuid not null references merchants,
  id uuid not null,
  kind text not null check (kind in ('order', 'receive', 'open')),
  account_key_id uuid not null,
  derivation_index bigint not null check (derivation_index between 0 and 2147483647),
  address text not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  chain text not null default 'tron' check (chain = 'tron'),
  currency text not null check (currency in ('USDT', 'TRX')),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'EXPIRED', 'ARCHIVED')),
  fee_mode text not null check (fee_mode in ('merchant', 'client')),
  fee_basis_points integer not null check (fee_basis_points between 0 and 1000),
  fee_fixed_units bigint not null check (fee_fixed_units >= 0),
  tolerance_basis_points integer not null check (tolerance_basis_points between 0 and 500),
  expected_units bigint check (expected_units >= 0),
  pay_units bigint check (pay_units > 0),
  fiat_currency text check (fiat_currency = 'USD'),
  fiat_amount text,
  order_ref text check (char_length(order_ref) <= 120),
  label text check (char_length(label) <= 120),
  success_url text check (char_length(success_url) <= 2048),
  cancel_url text check (char_length(cancel_url) <= 2048),
  settlement_account_id uuid,
  api_key_id uuid,
  checkout_token text not null,
  expires_at timestamptz,
  late_until timestamptz,
  paid_at timestamptz,
  archives_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_account_id) references settlement_accounts,
  foreign key (merchant_id, api_key_id) references api_keys,
  check ((kind = 'order') = (expected_units is not null)),
  check ((kind = 'receive') = (expires_at is null)),
  check ((expires_at is null) = (late_until is null) and late_until >= expires_at),
  check (pay_units is null or (kind = 'order' and fee_mode = 'client')),
  check ((fiat_currency is null) = (fiat_amount is null))
) with (fillfactor = 85);
create unique index deposit_addresses_one_receive
  on deposit_addresses (merchant_id, chain, currency, settlement_account_id) where kind = 'receive';
create index deposit_addresses_newest on deposit_addresses (merchant_id, created_at desc, id desc);
create index deposit_addresses_newest_of_facet
  on deposit_addresses (merchant_id, kind, status, created_at desc, id desc);
create index deposit_addresses_order_ref
  on deposit_addresses (merchant_id, order_ref, created_at desc, id desc) where order_ref is not null;
-- What the watcher expires; and the charges that count against the cap, which are the same: those that can expire.
create index deposit_addresses_to_expire
  on deposit_addresses (merchant_id, expires_at) where status = 'ACTIVE' and expires_at is not null;
create index deposit_addresses_to_archive on deposit_addresses (merchant_id, archives_at) where status = 'EXPIRED';

-- Which merchants have something to archive: no EXPIRED charge of a merchant has an `archives_at` before `archives_from`.
-- Only the watcher, of which one writes at a time, changes it.
create table archive_work (
  merchant_id uuid primary key,
  archives_from timestamptz not null default 'infinity'
);
create index archive_work_due on archive_work (archives_from);

-- Whose a checkout token is, for who knows no more than the token (its 30 bytes); written with the charge. No tenant table:
-- it has no foreign keys.
create table token_directory (
  token bytea primary key check (octet_length(token) = 30),
  merchant_id uuid not null,
  charge_id uuid not null
);

-- What is known of a merchant's charges without looking at them. `active`: no more than so many count against the cap. Creates
-- raise it, each under the lock of this row, and that makes the cap exact; nothing lowers it but the count that is taken where
-- it has reached the cap. `expires_from`: no ACTIVE charge expires before. Creates lower it, the watcher raises it. Both may be
-- too careful, never too bold. The row is made by the merchant's first create.
create table charge_load (
  merchant_id uuid primary key references merchants,
  active bigint not null default 0,
  expires_from timestamptz not null default 'infinity'
) with (fillfactor = 50);
create index charge_load_due on charge_load (expires_from);

-- What the deposits of a charge add up to, in minor units: written by the statement that changes the deposits, so that
-- reading a charge costs the same whatever was ever paid to it. A row beside the charge, which has many indexes and is
-- written rarely; here only the key is indexed, so that a change costs no entry of any index. Only deposits in the charge's own
-- currency are matching, and but for `unmatched` and `open` nothing else is counted. `detected`, `confirming` and
-- `open_on_time` count those above dust that are not final; `open` counts whatever is not final. Without a foreign key: the row
-- is made by the statement that makes the charge, and no charge is ever deleted. A block changes a row twice, and PostgreSQL
-- would check its key the second time.
create table charge_sums (
  merchant_id uuid not null,
  deposit_address_id uuid not null,
  confirmed numeric not null default 0,
  confirmed_on_time numeric not null default 0,
  confirmed_in_window numeric not null default 0,
  pending numeric not null default 0,
  unmatched numeric not null default 0,
  detected integer not null default 0,
  confirming integer not null default 0,
  open_on_time integer not null default 0,
  open integer not null default 0,
  newest_deposit_id uuid,
  newest_deposit_at timestamptz,
  newest_block_time timestamptz,
  primary key (merchant_id, deposit_address_id)
) with (fillfactor = 50);

-- Every rate lock of a fiat-priced order, newest last. `rate_e4` is units of currency per 1 USD, in 10^-4.
create table quotes (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  rate_e4 bigint not null check (rate_e4 > 0),
  source text not null,
  expected_units bigint not null check (expected_units > 0),
  pay_units bigint check (pay_units > 0),
  fetched_at timestamptz not null,
  locked_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > locked_at),
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses
);
create index quotes_of_address on quotes (merchant_id, deposit_address_id, locked_at desc);

-- The rate used in each minute: USD per unit of currency, in 10^-8.
create table rates (
  currency text not null check (currency in ('USDT', 'TRX')),
  minute timestamptz not null,
  usd_e8 bigint not null check (usd_e8 > 0),
  source text not null,
  fetched_at timestamptz not null,
  primary key (currency, minute)
);
