-- Of the blocks of a range that were read again, how many each node that was asked showed as the block that is ours, how many
-- it did not, and of the last of those why not. The counts are written in the transaction of the range's own progress.
create table rescan_nodes (
  network text not null,
  rescan_id bigint not null,
  node text not null,
  blocks_shown bigint not null default 0,
  blocks_not_shown bigint not null default 0,
  reason text,
  primary key (network, rescan_id, node),
  foreign key (network, rescan_id) references rescans
);
