-- The account xpubs whose receive addresses this service issues. `next_index` is the first index that is not reserved; it only grows, so
-- that an index is used once, for ever. `reserved_in` is the database that the last indexes were reserved in, as it names itself
-- (server, timeline, database, table). A restored or promoted one may not know the last reservations, so `next_index` skips over
-- them. `gaps`: how often indexes of the key were skipped.
create table account_keys (
  id uuid primary key,
  xpub text collate "C" not null unique,
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  reserved_in text collate "C",
  gaps integer not null default 0,
  created_at timestamptz not null default now()
);

-- The indexes that were skipped, in small ranges. The addresses of a range that is watched stand in `address_directory`, without a
-- merchant where no charge has them.
create table index_gaps (
  account_key_id uuid not null references account_keys,
  first bigint not null check (first >= 0),
  count bigint not null check (count > 0),
  is_watched boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_key_id, first)
);
create index index_gaps_unwatched on index_gaps (account_key_id, first) where not is_watched;

-- The merchant and charge of an address, by its 20 bytes; written with the charge. An address without a merchant was derived and is
-- watched, and is never issued. An address is here once, for ever. No tenant table: it has no foreign keys. `issued_in` is the
-- transaction that put the address there: an address filter lacks what transactions put there that had not ended when it looked last.
-- By default, so that no statement can leave it out.
create table address_directory (
  address bytea primary key check (octet_length(address) = 20),
  merchant_id uuid,
  charge_id uuid,
  account_key_id uuid not null,
  derivation_index bigint not null check (derivation_index between 0 and 2147483647),
  issued_in bigint default (pg_current_xact_id()::text::bigint),
  check ((merchant_id is null) = (charge_id is null))
);
-- Not proven of rows that came before the rule.
alter table address_directory add constraint address_directory_issued_in_known check (issued_in is not null) not valid;
create index address_directory_issued_in on address_directory (issued_in) where issued_in is not null;

-- The merchant and charge of a checkout token, by its 30 bytes; written with the charge. No tenant table: it has no foreign keys.
create table token_directory (
  token bytea primary key check (octet_length(token) = 30),
  merchant_id uuid not null,
  charge_id uuid not null
);

-- What reached an address that belongs to no merchant: money that the operator has to hand on. A transfer is here once, with the block
-- that it was last seen in, which may not be final.
create table unattributed_transfers (
  network text collate "C" not null,
  tx_id text collate "C" not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text collate "C" not null,
  event_index integer not null,
  address bytea not null check (octet_length(address) = 20),
  from_address text collate "C",
  currency text collate "C" not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units >= 0),
  block_number bigint not null,
  block_id text collate "C" not null,
  block_time timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (network, tx_id, source, event_index, address)
);
