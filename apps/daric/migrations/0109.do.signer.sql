-- The requests to the signer. Written once by the service, and never changed. `derivation_index` is of the deposit address: the sender of a
-- sweep, the receiver of the others. `units` are sun of a top-up, and sun of stake of a delegation. A row of the service's role alone must
-- not stop the signer: the bounds are far above what Daric writes.
create table signing_requests (
  id uuid primary key,
  kind text collate "C" not null check (kind in ('sweep', 'top_up', 'delegate', 'undelegate')),
  merchant_id uuid,
  derivation_index bigint not null,
  address text collate "C" not null,
  checkout_token text collate "C",
  address_mac bytea,
  currency text collate "C" check (currency in ('USDT', 'TRX')),
  recipient text collate "C" check (recipient in ('merchant', 'operator')),
  destination text collate "C",
  units bigint not null check (units > 0),
  fee_limit bigint not null default 0,
  block_number bigint not null,
  block_id text collate "C" not null,
  block_time timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint signing_requests_bounded check (
    char_length(address) <= 64 and char_length(checkout_token) <= 200 and octet_length(address_mac) <= 64
    and char_length(destination) <= 64 and char_length(block_id) <= 64 and isfinite(block_time)
    and expires_at < now() + interval '2 days')
);
create index signing_requests_pending on signing_requests (expires_at);

-- The signer's answer to a request: written by the signer alone, once. A refusal is final.
create table signing_results (
  request_id uuid primary key references signing_requests,
  tx_id text collate "C",
  transaction bytea,
  refusal text collate "C",
  signed_at timestamptz not null default now(),
  check ((refusal is null) = (tx_id is not null and transaction is not null))
);

-- The wallets of the signer's list, and since when each acts. The signer writes them. A row without an address withdraws one. An additional
-- wallet acts beside the merchant's earlier ones; every other entry replaces them. `permissions` as of `settlement_accounts`.
create table signer_destinations (
  counter bigint primary key,
  -- a uuid, or `operator`
  merchant_id text collate "C" not null,
  name text collate "C" not null,
  address text collate "C",
  -- minor units for each calendar month (UTC), by currency
  fee_ceiling jsonb not null,
  seen_at timestamptz not null,
  acts_from timestamptz not null,
  is_additional boolean not null default false,
  permissions text collate "C" check (permissions ~ '^(own|[0-9a-f]{32})$')
);

-- The state of the signer: one row, which it rewrites at each poll.
create table signer_state (
  one boolean primary key default true check (one),
  seen_at timestamptz,
  state jsonb not null
);
