-- No process of before marks a code as used after it was copied.
lock table recovery_codes in access exclusive mode;

-- Each recovery code that is left, as its HMAC-SHA-256 under the server's pepper. Using one removes it.
alter table people add column recovery_code_hashes bytea[] not null default '{}';
update people set recovery_code_hashes = unused.hashes
from (
  select person_id, array_agg(code_hash order by code_hash) as hashes from recovery_codes where used_at is null group by person_id
) unused where unused.person_id = people.id;

-- Of the blocks of a range that were read again, how many each node showed as ours, and how many it did not. `reason`: why it did not show
-- the last of those. Written in the transaction of the range's own progress.
alter table rescans add column nodes jsonb not null default '[]';
update rescans set nodes = counted.nodes
from (
  select network, rescan_id, jsonb_agg(jsonb_build_object('node', node, 'shown', blocks_shown, 'notShown', blocks_not_shown,
    'reason', reason) order by node) as nodes
  from rescan_nodes group by network, rescan_id
) counted where counted.network = rescans.network and counted.rescan_id = rescans.id;

-- The price of the first sweep of an address with each coin, and the sums from which it is made, as the settlement role last found them.
-- `price` is in sun, `priceUsdE8` in 10^-8 USD, the sums in units of the coin; these are texts, since they may exceed a number of JSON.
-- What needs a rate is left out while none is known.
alter table settlement_control add column terms jsonb, add column terms_found_at timestamptz,
  add check ((terms is null) = (terms_found_at is null));
update settlement_control set terms = found.terms, terms_found_at = found.found_at
from (
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('currency', currency, 'price', price::text, 'priceUsdE8', price_usd_e8::text,
    'paysFrom', pays_from::text, 'oldPaysFrom', old_pays_from::text, 'oldAfterMs', old_after_ms)) order by currency desc) as terms,
    max(found_at) as found_at
  from sweep_terms
) found;

drop table recovery_codes, rescan_nodes, sweep_terms;

-- Nothing reads these.
alter table deployment drop column events_sealed_from;
alter table scan_cursors drop column solid_time;

update deployment set serves_from = 113;
