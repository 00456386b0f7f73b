-- The rate used in each minute: USD per unit of currency, in 10^-8.
create table rates (
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  minute timestamptz not null,
  usd_e8 bigint not null check (usd_e8 > 0),
  source text collate "C" not null,
  fetched_at timestamptz not null,
  primary key (currency, minute)
);

-- One row per charge. Amounts are minor units (10^-6) of `currency`. Fee terms, tolerance and windows are frozen at creation. Whether a
-- charge is paid is never stored: it follows from the row and its deposits. Rows are never deleted and an address is never issued twice,
-- so money sent to an old address is found. The directories, which are keyed by them, hold that an address and a checkout token are of
-- one charge only.
--
-- The id has the time of `created_at` in it, to the microsecond, so that the order of ids is that of (created_at, id): the newest are at
-- the end of the primary key, and of each index that ends with the id.
--
-- `paid_at` is when an order's confirmed money first paid it. `archives_at` is when an EXPIRED row may be archived, by the chain's clock:
-- the later of the end of its late window and of its quiet days, which a deposit begins anew. What an order in fiat costs
-- (`expected_units`, `pay_units`, `quote_*`) is what the newest quote that its payer was offered says, `newest_quote_id`. `metadata` (text by
-- name) is what the merchant keeps with it, and `customer_ref` the customer of a standing address. `accepted_at` and `accept_reason`: the
-- merchant took what had arrived for the whole of an order. `address_mac` is of network, index, address, merchant and charge, under the
-- integrity key. `rest_of` is the order that this order asks the missing money of; without a foreign key, since the statement that makes a
-- rest has locked its order.
create table deposit_addresses (
  merchant_id uuid not null references merchants,
  id uuid not null,
  kind text collate "C" not null check (kind in ('order', 'receive', 'open')),
  account_key_id uuid not null,
  derivation_index bigint not null check (derivation_index between 0 and 2147483647),
  address text collate "C" not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  chain text collate "C" not null default 'tron' check (chain = 'tron'),
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  status text collate "C" not null default 'ACTIVE' check (status in ('ACTIVE', 'EXPIRED', 'ARCHIVED')),
  fee_mode text collate "C" not null check (fee_mode in ('merchant', 'client')),
  fee_basis_points integer not null check (fee_basis_points between 0 and 1000),
  fee_fixed_units bigint not null check (fee_fixed_units >= 0),
  tolerance_basis_points integer not null check (tolerance_basis_points between 0 and 500),
  expected_units bigint check (expected_units >= 0),
  pay_units bigint check (pay_units > 0),
  fiat_currency text collate "C" check (fiat_currency = 'USD'),
  fiat_amount text collate "C",
  order_ref text collate "C" check (char_length(order_ref) <= 120),
  label text collate "C" check (char_length(label) <= 120),
  success_url text collate "C" check (char_length(success_url) <= 2048),
  cancel_url text collate "C" check (char_length(cancel_url) <= 2048),
  settlement_account_id uuid,
  api_key_id uuid,
  checkout_token text collate "C" not null,
  expires_at timestamptz,
  late_until timestamptz,
  paid_at timestamptz,
  archives_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  newest_quote_id uuid,
  quote_rate_e4 bigint check (quote_rate_e4 > 0),
  quote_source text collate "C",
  quote_expires_at timestamptz,
  metadata jsonb check (jsonb_typeof(metadata) = 'object'),
  customer_ref text collate "C" check (char_length(customer_ref) between 1 and 120),
  accepted_at timestamptz,
  accept_reason text collate "C" check (char_length(accept_reason) <= 500),
  address_mac bytea,
  rest_of uuid,
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_account_id) references settlement_accounts,
  foreign key (merchant_id, api_key_id) references api_keys,
  check ((kind = 'order') = (expected_units is not null)),
  check ((kind = 'receive') = (expires_at is null)),
  check ((expires_at is null) = (late_until is null) and late_until >= expires_at),
  check (pay_units is null or (kind = 'order' and fee_mode = 'client')),
  check ((fiat_currency is null) = (fiat_amount is null)),
  check (num_nulls(fiat_currency, newest_quote_id, quote_rate_e4, quote_source, quote_expires_at) in (0, 5)),
  constraint deposit_addresses_customer_of_receive check (customer_ref is null or kind = 'receive'),
  constraint deposit_addresses_accepted_order check (accepted_at is null or (kind = 'order' and status = 'ARCHIVED')),
  constraint deposit_addresses_accept_reason_of_accepted check (accept_reason is null or accepted_at is not null),
  constraint deposit_addresses_rest_is_order check (rest_of is null or kind = 'order')
) with (fillfactor = 85);
-- Not proven of rows that came before the rule.
alter table deposit_addresses
  add constraint deposit_addresses_address_mac_length check (octet_length(address_mac) = 32) not valid;
-- One standing address for each customer, and one for no customer in particular.
create unique index deposit_addresses_one_receive
  on deposit_addresses (merchant_id, chain, currency, settlement_account_id, coalesce(customer_ref, ''))
  where kind = 'receive';
-- Those that wait for money are few, whatever there was before: a new charge enters an index that stays small.
create index deposit_addresses_newest_active on deposit_addresses (merchant_id, kind, id) where status = 'ACTIVE';
create index deposit_addresses_newest_done on deposit_addresses (merchant_id, kind, status, id) where status <> 'ACTIVE';
-- The dashboard finds orders by the beginning of their reference.
create index deposit_addresses_order_ref on deposit_addresses (merchant_id, order_ref text_pattern_ops, id)
  where order_ref is not null;
create index deposit_addresses_customer_ref
  on deposit_addresses (merchant_id, customer_ref, id) where customer_ref is not null;
-- What the watcher expires; and the charges that count against the cap, which are the same: those that can expire.
create index deposit_addresses_to_expire
  on deposit_addresses (merchant_id, expires_at) where status = 'ACTIVE' and expires_at is not null;
create index deposit_addresses_to_archive on deposit_addresses (merchant_id, archives_at) where status = 'EXPIRED';
-- An order has one open rest at a time.
create unique index deposit_addresses_one_open_rest on deposit_addresses (merchant_id, rest_of)
  where rest_of is not null and status = 'ACTIVE';
create index deposit_addresses_rests on deposit_addresses (merchant_id, rest_of, id) where rest_of is not null;

-- What is known of a merchant's charges without looking at them. `active`: no more than so many count against the cap. Creates raise it,
-- each under the lock of this row, and that makes the cap exact. Only the count that is taken at the cap lowers it. `expires_from`: no
-- ACTIVE charge expires before. Creates lower it, the watcher raises it. Both may be too careful, never too bold. The row is made by the
-- merchant's first create.
create table active_charge_counts (
  merchant_id uuid primary key references merchants,
  active bigint not null default 0,
  expires_from timestamptz not null default 'infinity'
) with (fillfactor = 50);
create index active_charge_counts_due on active_charge_counts (expires_from);

-- When the next expired charge of each merchant is to be archived: none has an `archives_at` before `archives_from`. Only the watcher, of
-- which one writes at a time, changes it.
create table archive_queue (
  merchant_id uuid primary key,
  archives_from timestamptz not null default 'infinity'
);
create index archive_queue_due on archive_queue (archives_from);

-- What the deposits of a charge add up to, in minor units: written by the statement that changes the deposits, so that reading a charge
-- costs the same whatever was ever paid to it. A row beside the charge, which has many indexes and is written rarely; here only the key is
-- indexed, so that a change costs no entry of any index. The statement that stores the first deposit makes the row; before that every sum
-- is zero. Without a foreign key: a block changes a row twice, PostgreSQL would check its key the second time, and no charge is deleted.
--
-- Only deposits in the charge's own currency are matching, and but for `unmatched` and `open` nothing else is counted. `detected`,
-- `confirming` and `open_on_time` count those above dust that are not final; `open` counts all that are not final. The sums of shares are of
-- what an order in fiat has due, in 10^-18, so that money at two rates is counted together. What is credited is that sum times what is due
-- now. `dust*` is the part of `confirmed`, `confirmed_on_time`, `pending` and `unmatched` that is dust; the other sums have none, nor has
-- `newest_block_time`. `dust_deposits` counts those whose block our chain has.
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
  confirmed_share numeric not null default 0,
  confirmed_on_time_share numeric not null default 0,
  confirmed_in_window_share numeric not null default 0,
  pending_share numeric not null default 0,
  dust numeric not null default 0,
  dust_on_time numeric not null default 0,
  dust_pending numeric not null default 0,
  dust_unmatched numeric not null default 0,
  dust_deposits integer not null default 0,
  primary key (merchant_id, deposit_address_id)
) with (fillfactor = 50);
comment on table charge_sums is 'from the first deposit of a charge on';

-- Every rate lock of a fiat-priced order, newest last. `rate_e4` is units of currency per 1 USD, in 10^-4. `was_offered`: the payer saw it.
-- Another is made of the rate stored in the minute of a block, for deposits that came when no offer held, and judges only those.
-- `chain_time` is the time of the newest scanned block as it was locked: the chain's clock may be behind or ahead.
create table quotes (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  rate_e4 bigint not null check (rate_e4 > 0),
  source text collate "C" not null,
  expected_units bigint not null check (expected_units > 0),
  pay_units bigint check (pay_units > 0),
  fetched_at timestamptz not null,
  locked_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > locked_at),
  was_offered boolean not null default true,
  chain_time timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses
);
create index quotes_of_address on quotes (merchant_id, deposit_address_id, locked_at desc);

-- What people of a merchant wrote about a payment. `decision` is the one that the note explains; a charge that was decided about leaves the
-- inbox until something new happens to it. Rows are never changed and never deleted.
create table payment_notes (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  person_id uuid not null,
  decision text collate "C" check (decision in ('accept', 'extend', 'archive', 'dismiss')),
  text text collate "C" not null check (char_length(text) <= 2000),
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index payment_notes_of_charge on payment_notes (merchant_id, deposit_address_id, created_at);
