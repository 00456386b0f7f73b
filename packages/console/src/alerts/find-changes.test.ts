import { firingAt, healthyAt, type SampleValues, samplesOf } from "@daric/testing/alert-samples";
import { describe, expect, it } from "vitest";
import { alerts } from "./alerts.ts";
import { consequences } from "./consequences.ts";
import { findChanges, findConditions, type HeldCondition, type OpenAlert } from "./find-changes.ts";
import { scrapesOf } from "./history.ts";
import { endMessage, runbookLink, startMessage } from "./message.ts";

const NOW = new Date("2026-05-01T12:00:00Z");
const seconds = NOW.getTime() / 1_000;
const healthy = healthyAt(seconds);
const firing = firingAt(seconds);
const ago = (count: number) => new Date(NOW.getTime() - count * 1_000);

/**
 * The conditions that hold when a process that was healthy 160 s ago reports these metrics now, or has been silent
 * since.
 */
function conditions(now: SampleValues, { silent = false } = {}): HeldCondition[] {
  const takenAt = ago(silent ? 120 : 10);
  const rows = [
    { id: 1n, process: "a:9464", takenAt: ago(160), samples: samplesOf(healthy) },
    { id: 2n, process: "a:9464", takenAt, samples: samplesOf({ ...healthy, ...now }) },
  ];
  return findConditions(alerts, scrapesOf(rows, NOW));
}

describe("each alert", () => {
  it("has a metric here that makes it hold, and does not hold in a healthy service", () => {
    expect(conditions({})).toEqual([]);
    expect(Object.keys(firing).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(firing))("only %s holds when its metric has this value", (name, now) => {
    const silent = name === "DaricProcessDown";
    const found = conditions(now, { silent });
    const names = found.map(({ alert }) => alert.name);
    expect(names).toContain(name);
    // A silent process also lacks its watcher and its rates.
    const followers: Record<string, string[]> = {
      DaricProcessDown: ["DaricNoLeader", "DaricNoRate", "DaricNoRate"],
      DaricNoNode: ["DaricNotReady"],
    };
    const also = followers[name] ?? [];
    expect(names.filter((held) => held !== name)).toEqual(also);
    for (const { summary } of found) expect(summary).not.toContain("{{");
  });
});

it("a process that was stopped on purpose is neither up nor down", () => {
  const rows = [
    { id: 1n, process: "b:1", takenAt: ago(400), samples: samplesOf(healthy) },
    { id: 2n, process: "b:1", takenAt: ago(390), samples: null },
    { id: 3n, process: "a:9464", takenAt: ago(5), samples: samplesOf(healthy) },
  ];
  expect(findConditions(alerts, scrapesOf(rows, NOW))).toEqual([]);
});

describe("an occurrence", () => {
  const [found] = conditions({ daric_watcher_leader: 0 });
  const one = found as HeldCondition;
  const open = (more: Partial<OpenAlert>): OpenAlert => ({
    id: 1n,
    alert: "DaricNoLeader",
    labels: one.labels,
    severity: "critical",
    summary: one.summary,
    runbook: "alerts#no-leader",
    pendingSince: ago(30),
    trueAt: ago(20),
    startedAt: null,
    ...more,
  });

  it("is pending for the time of its rule, and then starts once", () => {
    expect(findChanges([one], [], NOW).begun).toEqual([{ ...one, hasStarted: false }]);
    expect(findChanges([one], [open({})], NOW).held[0]?.hasStarted).toBe(false);
    expect(findChanges([one], [open({ pendingSince: ago(60) })], NOW).held[0]?.hasStarted).toBe(true);
    const started = open({ pendingSince: ago(90), startedAt: ago(30) });
    expect(findChanges([one], [started], NOW).held[0]?.hasStarted).toBe(false);
  });

  it("starts at once if its rule needs no time", () => {
    const [halted] = conditions({ daric_scan_halted: 1 });
    expect(findChanges([halted as HeldCondition], [], NOW).begun[0]?.hasStarted).toBe(true);
  });

  it("ends once its condition has not held for two minutes; a pending one is dropped at once", () => {
    const started = open({ startedAt: ago(300) });
    expect(findChanges([], [{ ...started, trueAt: ago(119) }], NOW).ended).toEqual([]);
    expect(findChanges([], [{ ...started, trueAt: ago(120) }], NOW).ended).toHaveLength(1);
    expect(findChanges([], [open({})], NOW)).toMatchObject({ ended: [], dropped: [{ id: 1n }] });
  });

  it("does not start while its cause holds or has not ended, and starts if it outlasts the cause", () => {
    const away = conditions({
      "daric_ready{check=node}": 0,
      "daric_ready{check=scanner}": 0,
      daric_head_block_timestamp_seconds: 1,
    });
    const early = away.map(({ alert, labels, summary }, index) =>
      open({ id: BigInt(index), alert: alert.name, labels, summary, pendingSince: ago(7_200) }),
    );
    const told = (conditions: readonly HeldCondition[], known: readonly OpenAlert[]) =>
      findChanges(conditions, known, NOW).held.flatMap((alert) =>
        alert.hasStarted ? [alert.open.alert] : [],
      );
    expect(early.map(({ alert }) => alert).toSorted()).toEqual([
      "DaricChainFrozen",
      "DaricNoNode",
      "DaricNotReady",
      "DaricNotReady",
    ]);
    expect(told(away, early)).toEqual(["DaricNoNode"]);
    const later = away.filter(({ alert }) => alert.name === "DaricChainFrozen");
    const cause = early.map((alert) =>
      alert.alert === "DaricNoNode" ? { ...alert, startedAt: ago(7_000) } : alert,
    );
    expect(told(later, cause)).toEqual([]);
    expect(
      told(
        later,
        early.filter(({ alert }) => alert === "DaricChainFrozen"),
      ),
    ).toEqual(["DaricChainFrozen"]);
    // A check that nothing explains starts beside it.
    const schema = conditions({ "daric_ready{check=node}": 0, "daric_ready{check=schema}": 0 });
    const names = schema.map(({ alert, labels }) =>
      open({ alert: alert.name, labels, pendingSince: ago(7_200) }),
    );
    expect(told(schema, names).toSorted()).toEqual(["DaricNoNode", "DaricNotReady"]);
  });

  it("is counted anew when its cause is over, if it counts a window that has the time of the cause", () => {
    const { DaricNodeFailing } = firing;
    const both = conditions({ "daric_ready{check=node}": 0, ...DaricNodeFailing });
    const failing = both.filter(({ alert }) => alert.name === "DaricNodeFailing");
    const [{ labels } = one] = failing;
    const pending = open({ id: 7n, alert: "DaricNodeFailing", labels, pendingSince: ago(600) });
    expect(findChanges(failing, [pending], NOW).held).toMatchObject([{ hasStarted: true }]);
    const { begun, held, dropped } = findChanges(both, [pending], NOW);
    expect(dropped).toEqual([pending]);
    expect([...begun, ...held].map((alert) => JSON.stringify(alert))).not.toContainEqual(
      expect.stringContaining("DaricNodeFailing"),
    );
    expect(findChanges(failing, [], NOW).begun).toMatchObject([{ hasStarted: false }]);
  });

  it("every cause and all that follows from it are alerts of the table", () => {
    const names = alerts.map(({ name }) => name);
    const used = Object.entries(consequences).flatMap(([cause, followers]) => [cause, ...followers]);
    for (const name of used) expect(names).toContain(name.replace(/:.*/, ""));
  });

  it("names its runbook and its first moment at the start, and at the end how long its condition held", () => {
    const started = { ...open({}), pendingSince: ago(90), startedAt: ago(30) };
    const origin = { network: "mainnet", baseUrl: "https://pay.example", timeZone: "Europe/Berlin" };
    expect(startMessage(started, origin).text).toBe(
      "CRITICAL on mainnet: No watcher reads the chain\nSince 13:58 Europe/Berlin. DaricNoLeader. What to do: https://pay.example/docs/alerts#no-leader",
    );
    expect(endMessage(started, NOW, origin).text).toBe(
      "Over after 1 min 30 s on mainnet: No watcher reads the chain\nDaricNoLeader",
    );
    expect(runbookLink("operations#{{ $labels.alarm }}", { alarm: "index_gap" }, undefined)).toBe(
      "docs/operations.md#index_gap",
    );
  });
});
