import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testedCommit } from "./lint/commit.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests run against the sources, not against a build that may be outdated; programs that tests start run the build. */
const alias = {
  ...Object.fromEntries(
    readdirSync(here("packages")).map((name) => [`@daric/${name}`, here(`packages/${name}/src`)]),
  ),
  "@daric/devchain": here("apps/devchain/src/devchain.ts"),
  "@daric/server": here("apps/daric/src"),
  "@daric/checkout": here("web/checkout/src"),
  "@daric/sdk": here("clients/typescript/src/sdk.ts"),
};

/** A test that takes longer hangs. The limit is generous, because a busy machine is slow. */
const PATIENCE_MS = 60_000;

/** The limit of `expect.poll`: long enough for a busy machine, since polling ends as soon as the condition holds. */
const patient = { poll: { timeout: 10_000 } };

/** The seed of property tests: the same for every run of a commit, and another one for the next commit. */
const seed = createHash("sha256").update(testedCommit()).digest().readInt32BE();

/** The file in which CI wants the result as JSON, in addition to the readable output. */
const jsonReport = process.env.VITEST_JSON_REPORT;

/**
 * CI machines are shared, so a test with processes, sockets or a database is tried twice there, and `.ci/run`
 * names each test that needed it. Tests of pure rules are tried once.
 */
const retry = jsonReport === undefined ? 0 : 1;

/** Files with long tests, marked by their names: `npm run test:nightly` runs them. */
const nightly = process.env.NIGHTLY === undefined ? ["**/*.nightly.*test.ts"] : [];

/**
 * Long files run first, so that none of them runs alone at the end: tests of the product, then large files before
 * small ones.
 */
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
    // On few cores, twice as many workers as cores, because many tests wait for a process, a socket or a timer. Each more costs CPU,
    // since it loads all sources again; but two workers left a third of two idle cores unused, and took longer.
    maxWorkers: Math.max(4, availableParallelism() - 1),
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
          setupFiles: ["tests/testing/src/apps-setup.ts", "tests/testing/src/property-seed-setup.ts"],
          include: [
            "{packages,apps,web,clients}/*/src/**/*.test.ts",
            "tests/{testing,bench}/src/**/*.test.ts",
            "clients/typescript/scripts/*.test.ts",
            "clients/generate/*.test.ts",
            "apps/daric/scripts/**/*.test.ts",
            "web/translations/*.test.ts",
            "plugins/*/*.test.ts",
          ],
          exclude: ["**/*.{db,io}.test.ts", "**/node_modules/**", "**/dist/**", ...nightly],
          // Tests of pure rules have no shared state, and loading modules once saves most of the time.
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
          setupFiles: ["tests/testing/src/apps-setup.ts"],
          include: [
            "{packages,apps,clients}/*/src/**/*.io.test.ts",
            "clients/typescript/recipes/*.io.test.ts",
            "{clients,plugins}/*/*.io.test.ts",
          ],
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
          include: ["{packages,apps,tests}/*/src/**/*.db.test.ts"],
          exclude: nightly,
          globalSetup: ["tests/testing/src/postgres-global-setup.ts"],
          setupFiles: [
            "tests/testing/src/tenants/setup.ts",
            "tests/testing/src/apps-setup.ts",
            "tests/testing/src/property-seed-setup.ts",
          ],
          // Test files share a process, as unit tests do, since they leave only a cache of statements behind.
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
          setupFiles: ["tests/testing/src/stack-setup.ts"],
          include: ["tests/e2e/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...nightly],
          isolate: false,
          globalSetup: ["tests/testing/src/postgres-global-setup.ts", "tests/e2e/browser-global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
