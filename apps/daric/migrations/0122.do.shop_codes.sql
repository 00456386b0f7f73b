-- The code by which a shop connects. A merchant has one, and a new one replaces it. `code_hash` is HMAC-SHA-256 under the server's pepper.
-- `made_by`: the person whose rights the code stands on when it is used.
create table shop_codes (
  merchant_id uuid primary key,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  made_by uuid not null references people,
  expires_at timestamptz not null,
  used_at timestamptz
);
