import type { InvariantName } from "../doctor/invariant.ts";

/** What to do first where an invariant is broken, for who has only this line to go by; the guide for operators says more. */
export const adviceOn: Readonly<Record<InvariantName, string>> = {
  I1: "fulfil nothing that is named by hand; have its blocks read again, `daric scan --from N --to N`, and compare with a second node",
  I2: "compare the deposits of what is named with the chain; nothing is mended by itself",
  I3: "the blocks were changed by hand or restored in part: restore the whole database from one backup",
  I4: "do not fulfil what is named; look its tx_id up on the chain, and settle it with the merchant where it is not there",
  I5: "do not fulfil what is named: somebody, or another program, wrote to the tables; find out who",
  I6: "tell the merchant of what is named by hand: its event was lost or invented",
  I13: "stop the api at once: two charges may share the money; then Backups and secrets in docs/database.md",
  I19: "an address that its index does not derive to is somebody else's: put the one that is named as derived back into deposit_addresses, and never the other one anywhere; what is not watched put back into address_directory, then `daric scan` from the time of its charge on",
  I21: "nothing is lost: receivers drop an id that they know; find out who wrote the second",
  I22: "see that all watchers run the same version, and report it",
  I25: "sweep nothing of what is named; a watcher of the version before may have run during an upgrade, or somebody wrote to the tables",
};
