-- The MAC under the integrity key over a person's memberships, operator's seat, passkeys and second factor; null until `daric integrity seal`.
alter table people add column rights_mac bytea check (octet_length(rights_mac) = 32);
