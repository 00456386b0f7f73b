-- `terms_version` grows with every change of the terms: whoever priced by them compares it instead of each term.
create table merchants (
  id uuid primary key,
  terms_version integer not null default 1 check (terms_version > 0),
  name text not null check (char_length(name) between 1 and 120),
  logo_url text check (logo_url ~ '^https://' and char_length(logo_url) <= 2048),
  accent_color text not null default '#0f766e' check (accent_color ~ '^#[0-9a-f]{6}$'),
  fee_mode text not null default 'merchant' check (fee_mode in ('merchant', 'client')),
  fee_basis_points integer not null default 0 check (fee_basis_points between 0 and 1000),
  fee_fixed_usdt_units bigint not null default 0 check (fee_fixed_usdt_units >= 0),
  fee_fixed_trx_units bigint not null default 0 check (fee_fixed_trx_units >= 0),
  order_lifetime_seconds integer not null default 3600 check (order_lifetime_seconds > 0),
  open_lifetime_seconds integer not null default 604800 check (open_lifetime_seconds > 0),
  late_window_seconds integer not null default 86400 check (late_window_seconds >= 0),
  underpayment_tolerance_basis_points integer not null default 0
    check (underpayment_tolerance_basis_points between 0 and 500),
  active_address_cap integer not null default 10000 check (active_address_cap > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- `secret_hash` is HMAC-SHA-256 of the whole key under the server's pepper; the key itself is shown once and not kept.
create table api_keys (
  merchant_id uuid not null references merchants,
  id uuid not null,
  lookup_id text not null check (lookup_id ~ '^[0-9A-Za-z]{16}$'),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  name text check (char_length(name) <= 120),
  scopes text[] not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index api_keys_of_merchant on api_keys (merchant_id, created_at desc);

-- Whose key has this look-up id; written with the key.
create table api_key_directory (
  lookup_id text primary key check (lookup_id ~ '^[0-9A-Za-z]{16}$'),
  merchant_id uuid not null,
  api_key_id uuid not null
);

-- Where a merchant's confirmed money is sent. A disabled account takes no new charges.
create table settlement_accounts (
  merchant_id uuid not null references merchants,
  id uuid not null,
  chain text not null default 'tron' check (chain = 'tron'),
  address text not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  label text check (char_length(label) <= 120),
  status text not null default 'active' check (status in ('active', 'disabled')),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status = 'active' or not is_default),
  primary key (merchant_id, id),
  unique (merchant_id, address)
);
create unique index settlement_accounts_one_default on settlement_accounts (merchant_id) where is_default;
