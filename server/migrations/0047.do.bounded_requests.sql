-- A row of the service's role alone must not stop the signer. The bounds are far above what Daric writes.
alter table signing_requests add constraint signing_requests_bounded check (
  char_length(address) <= 64 and char_length(checkout_token) <= 200 and octet_length(address_mac) <= 64
  and char_length(destination) <= 64 and char_length(block_id) <= 64 and isfinite(block_time)
  and expires_at < now() + interval '2 days');
