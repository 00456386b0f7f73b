import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testedCommit } from "./lint/commit.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests run against the sources, not against a build that may be old; programs that they start run the build. */
const alias = {
  "@daric/devchain": here("./devchain/src/devchain.ts"),
  "@daric/postgres": here("./postgres/src"),
  "@daric/tron": here("./tron/src"),
  "@daric/server": here("./server/src"),
  "@daric/checkout": here("./checkout/src"),
  "@daric/sdk": here("./sdk/src/sdk.ts"),
};

/** A test that takes longer hangs: how long one takes says how busy the machine is. */
const PATIENCE_MS = 60_000;

/** How long a test asks until something is so: long enough for any machine, since it ends as soon as it is. */
const patient = { poll: { timeout: 10_000 } };

/** What properties draw is the same for everybody who tests a commit, and something else with the next one. */
const seed = createHash("sha256").update(testedCommit()).digest().readInt32BE();

/** Where CI wants the result as JSON, beside what people read. */
const jsonReport = process.env.VITEST_JSON_REPORT;

/**
 * CI machines are shared: a test with processes, sockets or a database is tried twice there, and `.ci/run` names each one that
 * needed it. Rules alone are tried once.
 */
const retry = jsonReport === undefined ? 0 : 1;

/** Long plays and long tables, whose names say so: `npm run test:nightly` plays them. */
const nightly = process.env.NIGHTLY === undefined ? ["**/*.nightly.*test.ts"] : [];

/** The long ones first, so that none of them runs alone at the end: the product, then large files before small ones. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kinds = ["e2e", "db", "io", "unit"];
    const rank = ({ project }: TestSpecification) => kinds.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Four kinds of test: pure rules, real sockets and processes, SQL on a real PostgreSQL, the product from outside. */
export default defineConfig({
  test: {
    // As many as cores: each more loads and compiles all sources again. Four on two cores took 38 % more CPU, and longer.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    provide: { seed },
    // The projects share compiled sources, by the hash of each file.
    experimental: { fsModuleCache: true, fsModuleCachePath: ".test/modules" },
    reporters: jsonReport ? ["default", ["json", { outputFile: jsonReport }]] : ["default"],
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          expect: patient,
          setupFiles: ["testing/src/apps-setup.ts", "testing/src/draws-setup.ts"],
          include: [
            "{tron,postgres,server,signer,devchain,sdk,demo,checkout,dashboard,testing,bench}/src/**/*.test.ts",
            "sdk/scripts/*.test.ts",
          ],
          exclude: ["**/*.{db,io}.test.ts", "**/node_modules/**", "**/dist/**", ...nightly],
          // Pure rules share nothing that a neighbour could spoil, and loading modules once saves most of the time.
          pool: "threads",
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "io",
          expect: patient,
          retry,
          setupFiles: ["testing/src/apps-setup.ts"],
          include: ["{server,signer,devchain,sdk}/src/**/*.io.test.ts", "sdk/recipes/*.io.test.ts"],
          exclude: nightly,
          isolate: false,
          testTimeout: PATIENCE_MS,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "db",
          expect: patient,
          retry,
          include: ["{postgres,server,signer,testing}/src/**/*.db.test.ts"],
          exclude: nightly,
          globalSetup: ["testing/src/postgres-global-setup.ts"],
          setupFiles: [
            "testing/src/tenants/setup.ts",
            "testing/src/apps-setup.ts",
            "testing/src/draws-setup.ts",
          ],
          // Test files share a process, as unit tests do: they leave only the cache of statements behind.
          isolate: false,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "e2e",
          expect: patient,
          retry,
          setupFiles: ["testing/src/stack-setup.ts"],
          include: ["e2e/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...nightly],
          isolate: false,
          globalSetup: ["testing/src/postgres-global-setup.ts", "e2e/browser-global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
