-- People who sign in to the dashboard. A row stays when its person leaves: the audit log names it. `totp_ciphertext` is sealed under
-- DARIC_MASTER_KEY. `totp_step` is the last time step whose code was taken, so that no code counts twice. `wrong_codes` are those
-- since the last right one, each behind a right password. `rights_mac` is the MAC under the integrity key over a person's
-- memberships, operator's seat, passkeys and second factor; null until `daric integrity seal`.
create table people (
  id uuid primary key,
  email text collate "C" not null unique check (email = lower(email) and char_length(email) <= 254),
  name text collate "C" not null check (char_length(name) between 1 and 120),
  password_hash text collate "C",
  totp_ciphertext bytea,
  totp_step bigint,
  wrong_codes integer not null default 0,
  wrong_code_at timestamptz,
  is_operator boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  rights_mac bytea check (octet_length(rights_mac) = 32)
);

-- `id` is the credential's id in base64url. `challenged_at` is when the last accepted challenge was made: a later answer to it, or to an
-- older one, is refused.
create table passkeys (
  id text collate "C" primary key check (char_length(id) <= 1400),
  person_id uuid not null references people,
  name text collate "C" not null check (char_length(name) between 1 and 120),
  public_key bytea not null,
  counter bigint not null,
  transports text[] collate "C" not null,
  challenged_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);

-- `code_hash` is HMAC-SHA-256 under the server's pepper.
create table recovery_codes (
  person_id uuid not null references people,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (person_id, code_hash)
);

-- `token_hash` is the SHA-256 of the cookie's 256 random bits. A session ends at `expires_at`, after 12 hours without a request, or
-- when it is revoked.
create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  person_id uuid not null references people,
  address text collate "C" not null,
  user_agent text collate "C" not null check (char_length(user_agent) <= 300),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  reauthenticated_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  ended_at timestamptz
);
create index sessions_of_person on sessions (person_id, created_at desc);

create table memberships (
  merchant_id uuid not null,
  person_id uuid not null references people,
  role text collate "C" not null check (role in ('viewer', 'developer', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  primary key (merchant_id, person_id)
);
create index memberships_of_person on memberships (person_id);

-- Links that work once. An invitation makes a person a member or an operator; a reset sets a new password. `made_by` is null for the
-- command line.
create table one_time_links (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  kind text collate "C" not null check (kind in ('invitation', 'reset')),
  email text collate "C" not null check (email = lower(email) and char_length(email) <= 254),
  merchant_id uuid,
  role text collate "C" check (role in ('viewer', 'developer', 'admin', 'owner')),
  resets_second_factor boolean not null default false,
  made_by uuid references people,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz,
  -- An invitation without a merchant is one of an operator.
  check ((merchant_id is null) = (role is null)),
  check (kind = 'invitation' or role is null)
);
create index one_time_links_of_merchant on one_time_links (merchant_id, created_at desc) where used_at is null;
create index one_time_links_of_email on one_time_links (email) where used_at is null;

-- What people did, for which merchant, from where, and why. The service adds rows; it changes and deletes none. Merchant and address
-- are null for the command line.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text collate "C" not null,
  action text collate "C" not null,
  -- a kind and an id: `deposit 0192…`
  subject text collate "C" not null,
  before jsonb,
  after jsonb,
  reason text collate "C" not null,
  merchant_id uuid,
  address text collate "C"
);
create index audit_log_of_subject on audit_log (subject, id);
create index audit_log_of_merchant on audit_log (merchant_id, id) where merchant_id is not null;
