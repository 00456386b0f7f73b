import { defineConfig } from "vitest/config";

/** Three kinds of test: pure rules, SQL on a real PostgreSQL, and the product from outside. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{server,devchain,demo,checkout}/src/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**", "**/dist/**"],
        },
      },
      {
        test: {
          name: "db",
          include: ["server/src/**/*.db.test.ts"],
          globalSetup: ["server/test/postgres-global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
