-- Pictures that pages show, by the SHA-256 of their bytes: one that two merchants have is here once, and what a browser keeps
-- of it stays true for ever. Of no merchant, and public.
create table logos (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null check (octet_length(content) between 1 and 102400),
  created_at timestamptz not null default now()
);

-- How payers reach the merchant: shown on its pages, and in nothing else. `logo_url` is where the logo was fetched once.
alter table merchants
  add column support_email text check (char_length(support_email) <= 254),
  add column support_url text check (support_url ~ '^https://' and char_length(support_url) <= 2048),
  add column logo_id text references logos;
