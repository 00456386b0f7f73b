-- Pictures that pages show, by the SHA-256 of their bytes. A picture of two merchants is here once, and a browser may keep it for
-- ever. Of no merchant, and public.
create table logos (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text collate "C" not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null check (octet_length(content) between 1 and 102400),
  created_at timestamptz not null default now()
);

-- `terms_version` grows with every change of the terms, so that a price is compared with one number instead of each term.
-- `support_*` is how payers reach the merchant: shown on its pages, and in nothing else. `logo_url` is where the logo was fetched
-- once. `suspended_at` is an operator's stop: no new charges, and existing ones are credited and announced. `checkout_languages` are
-- those of the payment page, of those that the operator offers; null: all of them.
create table merchants (
  id uuid primary key,
  terms_version integer not null default 1 check (terms_version > 0),
  name text collate "C" not null check (char_length(name) between 1 and 120),
  logo_url text collate "C" check (logo_url ~ '^https://' and char_length(logo_url) <= 2048),
  accent_color text collate "C" not null default '#0f766e' check (accent_color ~ '^#[0-9a-f]{6}$'),
  fee_mode text collate "C" not null default 'merchant' check (fee_mode in ('merchant', 'client')),
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
  updated_at timestamptz not null default now(),
  support_email text collate "C" check (char_length(support_email) <= 254),
  support_url text collate "C" check (support_url ~ '^https://' and char_length(support_url) <= 2048),
  logo_id text collate "C" references logos,
  suspended_at timestamptz,
  checkout_languages text[] collate "C"
    check (cardinality(checkout_languages) >= 1 and cardinality(checkout_languages) <= 50
      and array_position(checkout_languages, null) is null)
);

-- `secret_hash` is HMAC-SHA-256 of the whole key under the server's pepper; the key itself is shown once and not kept. `pepper_id` is
-- the beginning of an HMAC under that pepper, which reveals nothing of it; null: the first pepper of the database.
create table api_keys (
  merchant_id uuid not null references merchants,
  id uuid not null,
  lookup_id text collate "C" not null check (lookup_id ~ '^[0-9A-Za-z]{16}$'),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  name text collate "C" check (char_length(name) <= 120),
  scopes text[] collate "C" not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  pepper_id bytea check (octet_length(pepper_id) = 8),
  primary key (merchant_id, id)
);
create index api_keys_of_merchant on api_keys (merchant_id, created_at desc);

-- The merchant of a key's look-up id; written with the key.
create table api_key_directory (
  lookup_id text collate "C" primary key check (lookup_id ~ '^[0-9A-Za-z]{16}$'),
  merchant_id uuid not null,
  api_key_id uuid not null
);

-- Where a merchant's confirmed money is sent. A disabled account takes no new charges. `permissions` are the keys that may move the
-- money of the wallet, as a person confirmed them: `own` for its own key alone, or a digest of its permissions; null: not read.
create table settlement_accounts (
  merchant_id uuid not null references merchants,
  id uuid not null,
  chain text collate "C" not null default 'tron' check (chain = 'tron'),
  address text collate "C" not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  label text collate "C" check (char_length(label) <= 120),
  status text collate "C" not null default 'active' check (status in ('active', 'disabled')),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  permissions text collate "C" check (permissions ~ '^(own|[0-9a-f]{32})$'),
  check (status = 'active' or not is_default),
  primary key (merchant_id, id),
  unique (merchant_id, address)
);
create unique index settlement_accounts_one_default on settlement_accounts (merchant_id) where is_default;

-- Wallets that owners ask for. None counts: the operator's command line adds settlement accounts, and the signer vets them.
create table wallet_requests (
  merchant_id uuid not null,
  id uuid not null,
  address text collate "C" not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  label text collate "C" check (char_length(label) <= 120),
  person_id uuid not null,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  permissions text collate "C" check (permissions ~ '^(own|[0-9a-f]{32})$'),
  primary key (merchant_id, id)
);
