/** Test files, or folders of them, whose databases have no twins yet. */
const withoutTwins: readonly string[] = [
  "server/src/charges/",
  "server/src/checkout/",
  "server/src/deposits/",
  "server/src/webhooks/deliveries/plans.db.test.ts",
  "/e2e/",
];

/** Whether merchants have no twins in the databases of this test file. */
export function isWithoutTwins(testPath: string): boolean {
  return withoutTwins.some((part) => testPath.includes(part));
}
