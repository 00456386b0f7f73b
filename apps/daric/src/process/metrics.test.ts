import { readFile } from "node:fs/promises";
import { alerts } from "@daric/console/alerts/alerts";
import { serviceSources } from "@daric/testing/service-sources";
import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

const read = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), "utf8");

describe("the documents describe every metric and alarm:", () => {
  it("docs/alerts.md has each metric", async () => {
    const table = await read("docs/alerts.md");
    const names = createMetrics({ processMetrics: false })
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it("each alarm begins at zero and is in docs/operations.md", async () => {
    const { values } = await createMetrics({ processMetrics: false }).alarms.get();
    const begun = values.map(({ labels }) => String(labels.alarm)).toSorted();
    const [, table = ""] = (await read("docs/operations.md")).split("## Alarms");
    const [rows = ""] = table.split("\n## ");
    const documented = [...rows.matchAll(/\[(\w+)\]\(#\1\)/g)].map(([, name = ""]) => name);
    expect(documented.toSorted()).toEqual(begun);
    const raised = serviceSources(/\.ts$/).flatMap(({ text }) =>
      [...text.matchAll(/alarms\.inc\(\{ alarm: "(\w+)"/g)].map(([, name = ""]) => name),
    );
    expect(raised.filter((name) => !begun.includes(name))).toEqual([]);
  });

  it("each alert links to the section of docs/alerts.md that names it, and an alarm to its own section", async () => {
    const sections = (await read("docs/alerts.md")).split("\n### ");
    const leads = alerts.map(({ name, runbook }) => {
      if (runbook === "operations#{{ $labels.alarm }}") return "";
      const anchor = /^alerts#([a-z-]+)$/.exec(runbook)?.[1];
      const section = sections.find(
        (text) => anchor === text.split("\n")[0]?.toLowerCase().replace(/ /g, "-"),
      );
      return section?.includes(`\`${name}\`: `) ? "" : name;
    });
    expect(leads.filter((alert) => alert !== "")).toEqual([]);
  });
});
