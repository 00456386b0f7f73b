/** Test files, or folders of them, whose databases have no decoys, and why. */
const withoutDecoys: Readonly<Record<string, string>> = {
  "server/src/cli/balances.db.test.ts":
    "lists what every merchant was paid, and a decoy would be one of them",
  "server/src/cli/find.db.test.ts":
    "an operator names a payment and no merchant, and a decoy has one of that name",
  "server/src/deposits/rescan/decide-deposit.db.test.ts":
    "an operator names a deposit and no merchant, and a decoy has one of that id",
  "server/src/retention/": "what is old is deleted by the month, whoever's it is, and partitions are dropped",
  "server/src/webhooks/deliveries/plans.db.test.ts": "pins plans at sizes that decoys would double",
};

/** Whether merchants have no decoys in the databases of this test file. */
export function isWithoutDecoys(testPath: string): boolean {
  return Object.keys(withoutDecoys).some((part) => testPath.includes(part));
}
