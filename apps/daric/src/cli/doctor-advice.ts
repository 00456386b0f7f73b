import type { InvariantName } from "../doctor/invariant.ts";

/** The first step for each broken invariant, for an operator with this line alone. docs/operations.md has more. */
export const adviceOn: Readonly<Record<InvariantName, string>> = {
  I1: "fulfil no named order by hand; run `daric scan --from N --to N` for its blocks, and compare with a second node",
  I2: "compare the named deposits with the chain; Daric repairs nothing by itself",
  I3: "the blocks were changed by hand or restored in part: restore the whole database from one backup",
  I4: "do not fulfil the named orders; look the tx_id up on the chain, and settle it with the merchant if it is missing",
  I5: "do not fulfil the named orders: a person or another program wrote to the tables; find out which",
  I6: "inform the merchant by hand: the event was lost or invented",
  I13: 'stop the api at once: two charges may share the money; then read docs/database.md, "Backups and secrets"',
  I19: "an address that does not match its index belongs to another wallet: restore the derived address in deposit_addresses, and use the other one nowhere. Restore unwatched ones in address_directory, then run `daric scan` from the time of their charge. For a transfer that was not credited, run `daric scan` for its block, or `daric adopt` again",
  I21: "nothing is lost: receivers ignore a known id; find out which program wrote the second",
  I22: "check that all watchers run the same version, and report it",
  I25: "sweep nothing of the named merchants; an old watcher may have run during an upgrade, or another program wrote to the tables",
  I26: 'an index did not hold: stop the service, and read docs/backup.md, "Another machine or image"',
  I27: "pay none of the named refunds; compare them with the audit log and the chain, and find out which program wrote the rows",
  I28: "Do not book the files of that month. Look first at the lines of I25, whose rows the journal reads.",
};
