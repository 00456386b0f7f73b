import { createTestDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";
import { listSchemaObjects } from "./store.ts";

it("the written indexes and foreign keys are those that the migrations make", async () => {
  const migrated = await createTestDatabase();
  const names = await listSchemaObjects(migrated.db);
  await migrated.drop();
  const lines = names.map((name) => `  "${name}",\n`).join("");
  await expect(
    `// Written from apps/daric/migrations by \`npx vitest run --project db --update=all apps/daric/src/deployment/schema-objects.db.test.ts\`.\n\n` +
      "/** Indexes and foreign keys of the newest schema. A restore makes them after the rows, these keys last. */\n" +
      `export const schemaObjects: readonly string[] = [\n${lines}];\n`,
  ).toMatchFileSnapshot("./schema-objects.ts");
});
