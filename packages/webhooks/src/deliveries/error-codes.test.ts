import { readFileSync } from "node:fs";
import { webhookErrors } from "@daric/domain/webhook-delivery";
import { expect, it } from "vitest";

const manual = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");

it("docs/webhooks.md says of each code of an error what it means and what to do, and of no other", () => {
  const [, afterHeading = ""] = manual.split("\n## Codes of errors\n");
  const [section = ""] = afterHeading.split("\n## ");
  const rows = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)];
  expect(rows.map(([, code]) => code)).toEqual(webhookErrors);
});
