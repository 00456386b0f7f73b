/** Test files, or folders of them, whose databases have no twins, and why. */
const withoutTwins: Readonly<Record<string, string>> = {
  "server/src/retention/": "what is old is deleted by the month, whoever's it is, and partitions are dropped",
  "server/src/webhooks/deliveries/plans.db.test.ts": "pins plans at sizes that twins would double",
};

/** Whether merchants have no twins in the databases of this test file. */
export function isWithoutTwins(testPath: string): boolean {
  return Object.keys(withoutTwins).some((part) => testPath.includes(part));
}
