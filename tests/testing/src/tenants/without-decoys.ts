/** Test files and folders without decoys, with the reason. */
const withoutDecoys: Readonly<Record<string, string>> = {
  "apps/daric/src/cli/sweep-addresses.db.test.ts":
    "lists the addresses of all merchants, which would include decoys",
  "apps/daric/src/cli/find.db.test.ts":
    "an operator searches payments of all merchants, and would find decoys",
  "/hung-server.db.test.ts": "a payer's token is asked of all merchants of a node, and would find decoys",
  "apps/daric/src/cli/secret.db.test.ts":
    "a rotation seals the secrets of all merchants, and would find decoys",
  "packages/deposits/src/rescan/decide-deposit.db.test.ts":
    "an operator names a deposit by id only, which its decoy shares",
  "apps/daric/src/cli/retention.db.test.ts":
    "retention deletes old rows of all merchants and drops partitions",
  "tests/e2e/docs-collecting.": "an operator collects the money of all merchants, and would find decoys",
  "tests/e2e/settlement.": "settlement would sweep the money of decoys too",
  "tests/e2e/sweep-offline.": "settlement would export the money of decoys too",
  "packages/settlement/src/offline/offline.db.test.ts":
    "the command exports the sweeps of all merchants, and would find decoys",
  "packages/settlement/src/worker/copied-database.db.test.ts":
    "copies of a database are not checked for decoys",
  "apps/daric/src/service-tests/fresh-tables.db.test.ts": "explains every statement at tables of exact sizes",
  "packages/webhooks/src/deliveries/plans.db.test.ts":
    "the test needs tables of exact sizes, which decoys would double",
};

/** Test folders whose listed global statements see no decoys; every other statement meets them. */
const globallyWithoutDecoys: Readonly<Record<string, string>> = {
  "packages/settlement/src/":
    "settlement plans and follows the sweeps of all merchants, and would sweep decoys",
  "packages/console/src/dashboard/search/":
    "the search's worker follows the lists of all merchants, and would write terms of decoys",
};

export function isGloballyWithoutDecoys(testPath: string): boolean {
  return Object.keys(globallyWithoutDecoys).some((part) => testPath.includes(part));
}

export function isWithoutDecoys(testPath: string): boolean {
  return Object.keys(withoutDecoys).some((part) => testPath.includes(part));
}
