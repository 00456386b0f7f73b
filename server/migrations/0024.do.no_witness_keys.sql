-- What is solid is counted from the witnesses that the headers of our blocks name (`blocks.witness`): no key of theirs is kept, and
-- whose key signed a block is not looked at. The index over it goes with the column.
alter table blocks drop column signer;
drop table witness_keys;
drop table witness_key_changes;
drop table witness_pins;
