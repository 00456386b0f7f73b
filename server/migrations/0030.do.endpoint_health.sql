-- What an endpoint answered of late. After five failed attempts in a row it is suspended: it gets one attempt at `probe_at`
-- and its other deliveries wait, until an attempt succeeds. A row is made with the first result.
create table endpoint_health (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  last_success_at timestamptz,
  -- when the first of the failed attempts since the last success began
  failing_since timestamptz,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  probe_at timestamptz,
  primary key (merchant_id, endpoint_id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints,
  check ((failed_attempts > 0) = (failing_since is not null)),
  check (probe_at is null or failing_since is not null)
) with (fillfactor = 50);

-- A delivery ends at the latest here, four days after its event or after it was last sent again. The twelve attempts take 85
-- hours at most; a suspended endpoint would hold a delivery for longer.
alter table webhook_deliveries add column expires_at timestamptz not null default now() + interval '4 days';
create index webhook_deliveries_expiring on webhook_deliveries (merchant_id, endpoint_id, expires_at)
  where status in ('PENDING', 'FAILED');
