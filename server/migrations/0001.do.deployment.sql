-- One database serves one environment on one network. The row is made here, claimed at the first start and compared
-- at every later one, so that a test database can never be opened by a live service. `checkout_key` is the key of the
-- check in every checkout token. The `*_check` columns are keyed digests, never the secrets: they tell a start with
-- another pepper, master key or account xpub.
create table deployment (
  only_row boolean primary key default true check (only_row),
  environment text check (environment in ('live', 'test')),
  network text check (network in ('mainnet', 'nile', 'shasta', 'devnet')),
  genesis_id text check (genesis_id ~ '^[0-9a-f]{64}$'),
  checkout_key bytea not null check (octet_length(checkout_key) = 32),
  pepper_check bytea check (octet_length(pepper_check) = 32),
  master_key_check bytea check (octet_length(master_key_check) = 32),
  account_xpub_check bytea check (octet_length(account_xpub_check) = 32),
  created_at timestamptz not null default now(),
  check ((environment is null) = (network is null))
);
-- Two random UUIDs hold 244 random bits of the server's strong generator.
insert into deployment (checkout_key)
values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- One row per thing that exactly one process may do at a time. `epoch` grows with every change of holder and is
-- the fencing token: a paused holder that wakes up finds a higher epoch and its transaction is refused.
create table leases (
  name text primary key,
  holder text not null,
  epoch bigint not null check (epoch > 0),
  expires_at timestamptz not null
);

-- Exact totals of the paged lists, written by the statement that changes the rows, so that `meta.total`
-- does not cost more as history grows. `facets` are the values a list can be filtered by. `slot` spreads one
-- counter over many rows: concurrent transactions of one merchant rarely wait for each other; the sum is exact.
create table list_counts (
  merchant_id uuid not null,
  list text not null,
  facets text[] not null,
  slot smallint not null,
  rows bigint not null,
  primary key (merchant_id, list, facets, slot)
) with (fillfactor = 70);
