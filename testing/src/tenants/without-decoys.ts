/** Test files and folders without decoys, with the reason. */
const withoutDecoys: Readonly<Record<string, string>> = {
  "server/src/cli/balances.db.test.ts": "lists all merchants' balances, which would include decoys",
  "server/src/cli/find.db.test.ts": "an operator searches payments of all merchants, and would find decoys",
  "server/src/deposits/rescan/decide-deposit.db.test.ts":
    "an operator names a deposit by id only, which its decoy shares",
  "server/src/cli/retention.db.test.ts": "retention deletes old rows of all merchants and drops partitions",
  "e2e/settlement.test.ts": "settlement sweeps what decoys hold, too",
  "server/src/settlement/": "settlement plans and follows the sweeps of all merchants, and would find decoys",
  "server/src/webhooks/deliveries/plans.db.test.ts": "tests plans at sizes that decoys would double",
};

export function isWithoutDecoys(testPath: string): boolean {
  return Object.keys(withoutDecoys).some((part) => testPath.includes(part));
}
