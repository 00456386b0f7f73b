/**
 * What can fail of a block that an honest chain has made, because the chain does something that this code does not know:
 * `verdicts` of infos that are not those of the block, the logs of `calls` of USDT itself, or transactions and results that do
 * not make the `root`. An operator may take a block where nothing but these fails. Ids, the link to the parent and who signed
 * it are never among them.
 */
export const acceptableChecks = ["verdicts", "calls", "root"] as const;
export type AcceptableCheck = (typeof acceptableChecks)[number];

/** What is wrong with a block; without a check nobody may take it. */
export type BlockFault = { readonly reason: string; readonly check?: AcceptableCheck };
