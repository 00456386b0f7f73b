/**
 * The checks that an operator may override, because an honest chain may change in a way that this code does not know.
 * `verdicts` and `calls` compare infos with their transactions, `root` transactions with the header.
 */
export const acceptableChecks = ["verdicts", "calls", "root"] as const;
export type AcceptableCheck = (typeof acceptableChecks)[number];

/** A fault of a block. Without a check it cannot be overridden. */
export type BlockFault = { readonly reason: string; readonly check?: AcceptableCheck };
