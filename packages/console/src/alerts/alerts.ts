import { currencies } from "@daric/domain/asset";
import { ALARMS } from "@daric/runtime/metrics";
import {
  above,
  absent,
  age,
  below,
  type Condition,
  type Duration,
  difference,
  either,
  equals,
  increase,
  max,
  metric,
  min,
  ratio,
  sum,
} from "./conditions.ts";

/** A condition that an operator must know of, with its runbook. */
export type Alert = {
  readonly name: string;
  /** over the metrics of all processes */
  readonly condition: Condition;
  /** how long the condition holds before the alert starts */
  readonly for: Duration;
  readonly severity: "critical" | "warning";
  /** a sentence; `{{ $value }}` and `{{ $labels.x }}` stand for the found value and label */
  readonly summary: string;
  /** the page and the section below /docs */
  readonly runbook: string;
};

/** The statuses of a sweep that moves on within minutes. */
const MOVING = ["PLANNED", "ACTIVATING", "RESOURCED", "SIGNED", "SENT", "SOLID"];

type Rule = Omit<Alert, "name" | "runbook"> & Partial<Pick<Alert, "runbook">>;

const rules = {
  DaricNoLeader: {
    condition: absent(equals(metric("daric_watcher_leader"), 1)),
    for: "1m",
    severity: "critical",
    summary: "No watcher reads the chain",
  },
  DaricNoNode: {
    condition: equals(max(metric("daric_ready", { check: "node" })), 0),
    for: "2m",
    severity: "critical",
    summary: "No TRON node answers. Orders are taken; payments wait",
  },
  DaricNotReady: {
    condition: equals(metric("daric_ready"), 0),
    for: "3m",
    severity: "critical",
    summary: "{{ $labels.instance }} is not ready: {{ $labels.check }}",
  },
  DaricProcessDown: {
    condition: equals(metric("up", { job: "daric" }), 0),
    for: "2m",
    severity: "critical",
    summary: "The process {{ $labels.instance }} does not answer",
  },
  DaricChainFrozen: {
    condition: above(age(max(metric("daric_head_block_timestamp_seconds"))), 120),
    for: "2m",
    severity: "critical",
    summary: "The newest block of the nodes is {{ $value | humanizeDuration }} old",
  },
  DaricScannerFrozen: {
    condition: above(difference(max(metric("daric_head_block")), max(metric("daric_scanned_block"))), 20),
    for: "2m",
    severity: "critical",
    summary: "The scan is {{ $value }} blocks behind the nodes",
  },
  DaricScanLate: {
    condition: above(age(max(metric("daric_scanned_block_timestamp_seconds"))), 180),
    for: "2m",
    severity: "critical",
    summary: "The scan is {{ $value | humanizeDuration }} behind the present",
  },
  DaricSolidLate: {
    condition: above(age(max(metric("daric_solid_block_timestamp_seconds"))), 600),
    for: "5m",
    severity: "critical",
    summary: "No block was verified for {{ $value | humanizeDuration }}; nothing is confirmed",
  },
  DaricScanHalted: {
    condition: equals(max(metric("daric_scan_halted")), 1),
    for: "0m",
    severity: "critical",
    summary: "The scan is halted: too few nodes agree with a final block",
  },
  DaricScannerBlocked: {
    condition: above(max(metric("daric_scanner_blocked_seconds")), 30),
    for: "0m",
    severity: "critical",
    summary: "A database session has blocked the scanner for {{ $value | humanizeDuration }}",
  },
  DaricAlarm: {
    condition: above(increase(metric(ALARMS), "15m"), 0),
    for: "0m",
    severity: "critical",
    summary: "Look at it now: {{ $labels.alarm }} {{ $labels.node }}",
    runbook: "operations#{{ $labels.alarm }}",
  },
  DaricDepositsStuck: {
    condition: above(max(metric("daric_open_deposits", { status: "STUCK" })), 0),
    for: "5m",
    severity: "warning",
    summary: "{{ $value }} deposits do not become final",
  },
  DaricNodeFailing: {
    condition: above(sum(increase(metric("daric_node_failures_total"), "10m"), "reason"), 10),
    for: "10m",
    severity: "warning",
    summary: "Nodes fail, by {{ $labels.reason }}",
  },
  DaricQuorumShort: {
    condition: equals(metric("daric_quorum_short"), 1),
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.node }} does not confirm our blocks, or does not answer",
  },
  DaricWebhookBacklog: {
    condition: above(max(metric("daric_webhook_deliveries_due")), 1_000),
    for: "10m",
    severity: "warning",
    summary: "{{ $value }} webhooks are due and not sent",
  },
  DaricWebhooksLate: {
    condition: above(max(metric("daric_webhook_oldest_due_seconds")), 300),
    for: "2m",
    severity: "critical",
    summary: "A webhook has been due for {{ $value | humanizeDuration }}",
  },
  DaricWebhooksFailing: {
    condition: above(
      ratio(
        sum(increase(metric("daric_webhook_attempts_total", { result: { not: "delivered" } }), "30m")),
        sum(increase(metric("daric_webhook_attempts_total"), "30m")),
      ),
      0.5,
    ),
    for: "30m",
    severity: "warning",
    summary: "Most attempts to deliver webhooks fail",
  },
  DaricWebhookBodyMissing: {
    condition: above(increase(metric("daric_webhook_attempts_total", { result: "body_missing" }), "1h"), 0),
    for: "0m",
    severity: "critical",
    summary: "The body of an event was gone before it was delivered",
  },
  DaricWebhookEndpointDisabled: {
    condition: above(sum(increase(metric("daric_webhook_endpoints_disabled_total"), "15m")), 0),
    for: "0m",
    severity: "warning",
    summary: "A webhook endpoint was disabled: nothing reached it, or it answered 410",
  },
  DaricGasLow: {
    condition: below(min(metric("daric_gas_wallet_sun")), 100_000_000),
    for: "5m",
    severity: "warning",
    summary: "The gas wallet holds {{ $value }} sun, less than 100 TRX",
  },
  DaricStakeLow: {
    condition: below(max(metric("daric_stake_loans_free")), 1),
    for: "1h",
    severity: "warning",
    summary: "The stake lends no energy for a transfer of a token",
  },
  DaricSweepsStuck: {
    condition: above(max(metric("daric_sweep_oldest_seconds", { status: MOVING }), "status"), 1_800),
    for: "5m",
    severity: "critical",
    summary: "A sweep has been {{ $labels.status }} for {{ $value | humanizeDuration }}",
  },
  DaricSignerSilent: {
    condition: above(max(metric("daric_signer_silence_seconds")), 120),
    for: "5m",
    severity: "critical",
    summary: "The signer has been silent for {{ $value | humanizeDuration }}",
  },
  DaricNoRate: {
    condition: either(
      ...currencies.map((currency) => absent(metric("daric_rate_age_seconds", { currency }))),
    ),
    for: "5m",
    severity: "critical",
    summary: "Orders priced in USD are refused: {{ $labels.currency }} has no rate",
  },
  DaricRateSourceStale: {
    condition: above(min(metric("daric_rate_source_age_seconds"), "source", "currency"), 600),
    for: "5m",
    severity: "warning",
    summary:
      "The last price of {{ $labels.currency }} by {{ $labels.source }} is {{ $value | humanizeDuration }} old",
  },
  DaricRateSourceUnused: {
    condition: equals(max(metric("daric_rate_source_used"), "source", "currency"), 0),
    for: "1h",
    severity: "warning",
    summary: "The rate of {{ $labels.currency }} does not use {{ $labels.source }}",
  },
  DaricAddressesOut: {
    condition: equals(min(metric("daric_addresses_ahead")), 0),
    for: "2m",
    severity: "critical",
    summary: "No address is ready for the next order",
  },
  DaricPoolExhausted: {
    condition: above(max(metric("daric_database_waiting"), "pool"), 0),
    for: "2m",
    severity: "critical",
    summary: "Work waits for a database connection of the pool {{ $labels.pool }}",
  },
  DaricOverload: {
    condition: above(
      sum(increase(metric("daric_http_refusals_total", { code: "SERVICE_UNAVAILABLE" }), "5m")),
      50,
    ),
    for: "2m",
    severity: "critical",
    summary: "{{ $value }} requests were refused with 503 in five minutes",
  },
  DaricConnectionsNearCap: {
    condition: above(ratio(metric("daric_http_connections"), metric("daric_http_connections_max")), 0.8),
    for: "2m",
    severity: "warning",
    summary: "The listener {{ $labels.listener }} uses {{ $value | humanizePercentage }} of its connections",
  },
  DaricSignInsFail: {
    condition: above(
      sum(increase(metric("daric_http_refusals_total", { code: ["SIGN_IN_FAILED", "WRONG_CODE"] }), "10m")),
      100,
    ),
    for: "1m",
    severity: "warning",
    summary: "{{ $value }} sign-ins failed in ten minutes: a password or a code may be guessed",
  },
  DaricKeysExpiring: {
    condition: above(max(metric("daric_api_keys_expiring")), 0),
    for: "1h",
    severity: "warning",
    summary: "{{ $value }} API keys in use expire within two weeks",
  },
  DaricPartitionsLow: {
    condition: below(min(metric("daric_partition_months_ahead")), 2),
    for: "1h",
    severity: "warning",
    summary: "The monthly tables exist for {{ $value }} more months: run `daric migrate`",
  },
  DaricMetricsMissing: {
    condition: above(increase(metric("daric_metrics_collector_failures_total"), "15m"), 3),
    for: "5m",
    severity: "warning",
    summary: "Metrics are missing: {{ $labels.collector }} could not be queried",
  },
} satisfies Readonly<Record<string, Rule>>;

/**
 * Every alert. `ops/deploy/prometheus/alerts.yml` is written from this table, the notifier evaluates it, and a test compares it with the
 * sections of docs/alerts.md.
 */
export const alerts: readonly Alert[] = Object.keys(rules).map((name) => alertOf(name as keyof typeof rules));

/** An alert by its name. The runbook of `DaricNoLeader` is `alerts#no-leader`, unless its rule has another one. */
export function alertOf(name: keyof typeof rules): Alert {
  const words = name.replace("Daric", "").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { name, runbook: `alerts${words.replace("-", "#")}`, ...rules[name] };
}
