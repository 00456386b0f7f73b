-- One database serves one environment on one network. The row is claimed at the first start and compared at every later one, so that a live
-- service never opens a test database. `checkout_key` is the key of the check in every checkout token. The `*_check` columns are keyed
-- digests, never the secrets: they tell a start with another pepper, master key, integrity key or account xpub. `addresses_sealed_at` is when
-- every address had a code under the integrity key.
--
-- `serves_from` is the newest migration that a program must know at least to work on this schema. A migration that adds leaves it as it is, so
-- that running programs go on. A migration that takes away what they use raises it to its own number. It begins below all numbers.
create table deployment (
  only_row boolean primary key default true check (only_row),
  environment text collate "C" check (environment in ('live', 'test')),
  network text collate "C" check (network in ('mainnet', 'nile', 'shasta', 'devnet', 'private')),
  genesis_id text collate "C" check (genesis_id ~ '^[0-9a-f]{64}$'),
  checkout_key bytea not null check (octet_length(checkout_key) = 32),
  pepper_check bytea check (octet_length(pepper_check) = 32),
  master_key_check bytea check (octet_length(master_key_check) = 32),
  account_xpub_check bytea check (octet_length(account_xpub_check) = 32),
  created_at timestamptz not null default now(),
  integrity_check bytea check (octet_length(integrity_check) = 32),
  events_sealed_from timestamptz not null default now(),
  addresses_sealed_at timestamptz,
  serves_from integer not null default 35 check (serves_from > 0),
  check ((environment is null) = (network is null))
);
-- Two random UUIDs hold 244 random bits of the server's strong generator.
insert into deployment (checkout_key, addresses_sealed_at)
values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), now());

-- One row per thing that exactly one process may do at a time. `epoch` grows with every change of holder and is the fencing token: the
-- transaction of a paused holder that wakes up finds a higher epoch and is refused. A lease may be taken over when neither its epoch nor
-- `renewals` has changed for its time. The clock is that of the process that stands by; `expires_at` only informs. `is_free`: its holder
-- has given it up.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  epoch bigint not null check (epoch > 0),
  expires_at timestamptz not null,
  renewals bigint not null default 0,
  is_free boolean not null default false
);

-- Exact totals of the paged lists, written by the statement that changes the rows, so that `meta.total` does not cost more as history
-- grows. `facets` are the values that a list can be filtered by. `slot` spreads one counter over many rows, so that concurrent transactions
-- of one merchant rarely wait for each other; the sum is exact.
create table list_counts (
  merchant_id uuid not null,
  list text collate "C" not null,
  facets text[] collate "C" not null,
  slot smallint not null,
  rows bigint not null,
  primary key (merchant_id, list, facets, slot)
) with (fillfactor = 70);
