-- The keys that may move the money of a settlement wallet, as a person confirmed them: `own` for the wallet's own key alone, or a digest of
-- its permissions. Null: not read, as before this column.
alter table settlement_accounts add column permissions text check (permissions ~ '^(own|[0-9a-f]{32})$');
alter table wallet_requests add column permissions text check (permissions ~ '^(own|[0-9a-f]{32})$');
alter table signer_destinations add column permissions text check (permissions ~ '^(own|[0-9a-f]{32})$');
