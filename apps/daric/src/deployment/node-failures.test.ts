import { NodeError } from "@daric/chain/blocks/node-error";
import { createLogger } from "@daric/runtime/logger";
import { createManualClock } from "@daric/testing/offline-context";
import { expect, it } from "vitest";
import { createNodeOutages } from "./node-failures.ts";

function start() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ level: "info", role: "test", destination });
  const outages = createNodeOutages({ log, clock: createManualClock() });
  const away = (node: string) =>
    outages.away(new NodeError("did not answer in time", { fault: "timeout", node }));
  return { lines, outages, away };
}

it("each node has an outage of its own, from its second lost answer in a row", () => {
  const { lines, outages, away } = start();
  for (const node of ["a.example", "a.example", "a.example", "b.example"]) away(node);
  outages.answered("b.example");
  away("b.example");
  outages.stop();
  expect(lines).toMatchObject([
    {
      level: "warn",
      event: "node_unreachable",
      node: "a.example",
      reason: "a.example: did not answer in time",
    },
  ]);
});
