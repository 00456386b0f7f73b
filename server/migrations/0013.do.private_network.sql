-- A private chain is a network too.
alter table deployment drop constraint deployment_network_check;
alter table deployment add constraint deployment_network_check
  check (network in ('mainnet', 'nile', 'shasta', 'devnet', 'private'));
