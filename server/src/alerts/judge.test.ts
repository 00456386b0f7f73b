import { describe, expect, it } from "vitest";
import { alerts } from "./alerts.ts";
import { scrapesOf } from "./history.ts";
import { findConditions, type HeldCondition, judge, type OpenAlert, rulesOf } from "./judge.ts";
import { endMessage, runbookLink, startMessage } from "./message.ts";
import type { ScrapedSample } from "./promql/read-scrape.ts";

const rules = rulesOf(alerts);
const NOW = new Date("2026-05-01T12:00:00Z");
const seconds = NOW.getTime() / 1_000;
const ago = (count: number) => new Date(NOW.getTime() - count * 1_000);

type Values = Readonly<Record<string, number>>;

/** Samples from texts like `daric_ready{check=node}`; NaN stands for no sample. */
function samplesOf(values: Values): ScrapedSample[] {
  const known = Object.entries(values).filter(([, value]) => !Number.isNaN(value));
  return known.map(([text, value]) => {
    const [metric = "", inner = ""] = text.split(/[{}]/);
    const pairs = inner === "" ? [] : inner.split(",").map((pair) => pair.split("="));
    return { metric, labels: Object.fromEntries(pairs), value };
  });
}

/** What a healthy service says. */
const healthy: Values = {
  daric_watcher_leader: 1,
  daric_head_block: 1_000,
  daric_head_block_timestamp_seconds: seconds,
  daric_scanned_block: 999,
  daric_scanned_block_timestamp_seconds: seconds - 3,
  daric_solid_block_timestamp_seconds: seconds - 60,
  daric_scan_halted: 0,
  "daric_ready{check=node}": 1,
  "daric_rate_age_seconds{currency=USDT}": 3,
  "daric_rate_age_seconds{currency=TRX}": 3,
  "daric_alarms_total{alarm=index_gap}": 0,
  "daric_node_failures_total{reason=timeout}": 0,
  "daric_webhook_attempts_total{result=delivered}": 10,
  "daric_webhook_attempts_total{result=timeout}": 0,
  "daric_webhook_attempts_total{result=body_missing}": 0,
  "daric_http_refusals_total{code=SERVICE_UNAVAILABLE}": 0,
  "daric_metrics_collector_failures_total{collector=ready}": 0,
  daric_addresses_ahead: 20,
};

/** The conditions that hold when a process that was healthy 160 s ago says this now, or has been silent since. */
function conditions(now: Values, { silent = false } = {}): HeldCondition[] {
  const takenAt = ago(silent ? 120 : 10);
  const rows = [
    { id: 1n, process: "a:9464", takenAt: ago(160), samples: samplesOf(healthy) },
    { id: 2n, process: "a:9464", takenAt, samples: samplesOf({ ...healthy, ...now }) },
  ];
  return findConditions(rules, scrapesOf(rows, NOW));
}

describe("each alert", () => {
  const provoking: Readonly<Record<string, Values>> = {
    DaricNoLeader: { daric_watcher_leader: 0 },
    DaricNotReady: { "daric_ready{check=node}": 0 },
    DaricChainFrozen: { daric_head_block_timestamp_seconds: seconds - 121 },
    DaricScannerFrozen: { daric_scanned_block: 979 },
    DaricScanLate: { daric_scanned_block_timestamp_seconds: seconds - 181 },
    DaricSolidLate: { daric_solid_block_timestamp_seconds: seconds - 601 },
    DaricScanHalted: { daric_scan_halted: 1 },
    DaricScannerBlocked: { daric_scanner_blocked_seconds: 31 },
    DaricAlarm: { "daric_alarms_total{alarm=index_gap}": 1 },
    DaricDepositsStuck: { "daric_open_deposits{status=STUCK}": 1 },
    DaricNodeFailing: { "daric_node_failures_total{reason=timeout}": 11 },
    DaricQuorumShort: { "daric_quorum_short{node=a.example}": 1 },
    DaricWebhookBacklog: { daric_webhook_deliveries_due: 1_001 },
    DaricWebhooksLate: { daric_webhook_oldest_due_seconds: 301 },
    DaricWebhooksFailing: { "daric_webhook_attempts_total{result=timeout}": 1 },
    DaricWebhookBodyMissing: {
      "daric_webhook_attempts_total{result=body_missing}": 1,
      "daric_webhook_attempts_total{result=delivered}": 12,
    },
    DaricGasLow: { daric_gas_wallet_sun: 99_999_999 },
    DaricStakeLow: { daric_stake_loans_free: 0 },
    DaricSweepsStuck: { "daric_sweep_oldest_seconds{status=SENT}": 1_801 },
    DaricSignerSilent: { daric_signer_silence_seconds: 121 },
    DaricNoRate: { "daric_rate_age_seconds{currency=TRX}": Number.NaN },
    DaricRateSourceStale: { "daric_rate_source_age_seconds{source=kraken,currency=TRX}": 601 },
    DaricRateSourceUnused: { "daric_rate_source_used{source=kraken,currency=TRX}": 0 },
    DaricAddressesOut: { daric_addresses_ahead: 0 },
    DaricPoolExhausted: { "daric_database_waiting{pool=api}": 1 },
    DaricOverload: { "daric_http_refusals_total{code=SERVICE_UNAVAILABLE}": 51 },
    DaricConnectionsNearCap: {
      "daric_http_connections{listener=api}": 81,
      "daric_http_connections_max{listener=api}": 100,
    },
    DaricPartitionsLow: { daric_partition_months_ahead: 1 },
    DaricMetricsMissing: { "daric_metrics_collector_failures_total{collector=ready}": 4 },
    DaricProcessDown: {},
  };

  it("has a condition here that holds then and not in a healthy service", () => {
    expect(conditions({})).toEqual([]);
    expect(Object.keys(provoking).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(provoking))("%s holds alone when its metric says so", (name, now) => {
    const silent = name === "DaricProcessDown";
    const found = conditions(now, { silent });
    const names = found.map(({ rule }) => rule.alert.name);
    expect(names).toContain(name);
    // A silent process takes its watcher and its rates along.
    const also = silent ? ["DaricNoLeader", "DaricNoRate", "DaricNoRate"] : [];
    expect(names.filter((other) => other !== name)).toEqual(also);
    for (const { summary } of found) expect(summary).not.toContain("{{");
  });
});

it("a process that ended as it should is neither up nor down", () => {
  const rows = [
    { id: 1n, process: "b:1", takenAt: ago(400), samples: samplesOf(healthy) },
    { id: 2n, process: "b:1", takenAt: ago(390), samples: null },
    { id: 3n, process: "a:9464", takenAt: ago(5), samples: samplesOf(healthy) },
  ];
  expect(findConditions(rules, scrapesOf(rows, NOW))).toEqual([]);
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
    expect(judge([one], [], NOW).begun).toEqual([{ ...one, hasStarted: false }]);
    expect(judge([one], [open({})], NOW).held[0]?.hasStarted).toBe(false);
    expect(judge([one], [open({ pendingSince: ago(60) })], NOW).held[0]?.hasStarted).toBe(true);
    const started = open({ pendingSince: ago(90), startedAt: ago(30) });
    expect(judge([one], [started], NOW).held[0]?.hasStarted).toBe(false);
  });

  it("starts at once if its rule needs no time", () => {
    const [halted] = conditions({ daric_scan_halted: 1 });
    expect(judge([halted as HeldCondition], [], NOW).begun[0]?.hasStarted).toBe(true);
  });

  it("ends once its condition has not held for two minutes; a pending one is forgotten at once", () => {
    const started = open({ startedAt: ago(300) });
    expect(judge([], [{ ...started, trueAt: ago(119) }], NOW).ended).toEqual([]);
    expect(judge([], [{ ...started, trueAt: ago(120) }], NOW).ended).toHaveLength(1);
    expect(judge([], [open({})], NOW)).toMatchObject({ ended: [], dropped: [{ id: 1n }] });
  });

  it("names its runbook at the start, and its duration at the end", () => {
    const told = { ...open({}), startedAt: ago(90) };
    const origin = { network: "mainnet", baseUrl: "https://pay.example" };
    expect(startMessage(told, origin).text).toBe(
      "CRITICAL on mainnet: No watcher reads the chain\nDaricNoLeader. What to do: https://pay.example/docs/alerts#no-leader",
    );
    expect(endMessage(told, NOW, origin).text).toBe(
      "Over after 1 min 30 s on mainnet: No watcher reads the chain\nDaricNoLeader",
    );
    expect(runbookLink("operations#{{ $labels.alarm }}", { alarm: "index_gap" }, undefined)).toBe(
      "docs/operations.md#index_gap",
    );
  });
});
