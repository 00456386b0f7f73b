-- An additional wallet acts beside the merchant's earlier ones; every other entry of the signer's list replaces them.
alter table signer_destinations add column is_additional boolean not null default false;
