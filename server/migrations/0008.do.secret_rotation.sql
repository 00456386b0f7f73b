-- While a rotation overlaps, deliveries are signed with both secrets: the one before has an end, or is not there.
alter table webhook_endpoints
  add constraint webhook_endpoints_previous_secret
    check ((previous_secret_ciphertext is null) = (previous_secret_expires_at is null));

-- `was_resent`: it had ended, and its merchant asked for one more attempt. From then on each attempt is the only one: none
-- follows it by itself.
alter table webhook_deliveries add column was_resent boolean not null default false;
