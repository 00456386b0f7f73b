-- Who made a block, by its own word, and whose key signed it: addresses in hex. Null in rows of before these were kept.
alter table blocks add column witness text, add column signer text;
