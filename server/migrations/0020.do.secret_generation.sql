-- How often the secret of an endpoint was made: the secrets of its row are sealed under this number, so that none of before
-- opens again. 0 is an endpoint from before it was counted, until its secret is rotated.
alter table webhook_endpoints add column secret_generation integer not null default 0 check (secret_generation >= 0);
