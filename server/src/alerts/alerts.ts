import { currencies } from "../domain/asset.ts";

/** A condition that an operator must know of, with its runbook. */
export type Alert = {
  readonly name: string;
  /** the condition in PromQL, over the metrics of all processes */
  readonly expr: string;
  /** how long the condition holds before the alert starts, as Prometheus writes durations */
  readonly for: string;
  readonly severity: "critical" | "warning";
  /** a sentence; `{{ $value }}` and `{{ $labels.x }}` stand for the found value and label */
  readonly summary: string;
  /** the page and the section below /docs */
  readonly runbook: string;
};

/**
 * Every alert. `deploy/prometheus/alerts.yml` is written from this table, the notifier evaluates it, and a test compares it with the
 * sections of docs/alerts.md.
 */
export const alerts: readonly Alert[] = [
  {
    name: "DaricNoLeader",
    expr: "absent(daric_watcher_leader == 1)",
    for: "1m",
    severity: "critical",
    summary: "No watcher reads the chain",
    runbook: "alerts#no-leader",
  },
  {
    name: "DaricNotReady",
    expr: "daric_ready == 0",
    for: "3m",
    severity: "critical",
    summary: "The check {{ $labels.check }} of /readyz fails at {{ $labels.instance }}",
    runbook: "alerts#not-ready",
  },
  {
    name: "DaricProcessDown",
    expr: 'up{job="daric"} == 0',
    for: "2m",
    severity: "critical",
    summary: "The process {{ $labels.instance }} does not answer",
    runbook: "alerts#process-down",
  },
  {
    name: "DaricChainFrozen",
    expr: "time() - max(daric_head_block_timestamp_seconds) > 120",
    for: "2m",
    severity: "critical",
    summary: "The newest block of the nodes is {{ $value | humanizeDuration }} old",
    runbook: "alerts#chain-frozen",
  },
  {
    name: "DaricScannerFrozen",
    expr: "max(daric_head_block) - max(daric_scanned_block) > 20",
    for: "2m",
    severity: "critical",
    summary: "The scan is {{ $value }} blocks behind the nodes",
    runbook: "alerts#scanner-frozen",
  },
  {
    name: "DaricScanLate",
    expr: "time() - max(daric_scanned_block_timestamp_seconds) > 180",
    for: "2m",
    severity: "critical",
    summary: "The scan is {{ $value | humanizeDuration }} behind the present",
    runbook: "alerts#scan-late",
  },
  {
    name: "DaricSolidLate",
    expr: "time() - max(daric_solid_block_timestamp_seconds) > 600",
    for: "5m",
    severity: "critical",
    summary: "No block was verified for {{ $value | humanizeDuration }}; nothing is confirmed",
    runbook: "alerts#solid-late",
  },
  {
    name: "DaricScanHalted",
    expr: "max(daric_scan_halted) == 1",
    for: "0m",
    severity: "critical",
    summary: "The scan is halted: too few nodes agree with a final block",
    runbook: "alerts#scan-halted",
  },
  {
    name: "DaricScannerBlocked",
    expr: "max(daric_scanner_blocked_seconds) > 30",
    for: "0m",
    severity: "critical",
    summary: "A database session has blocked the scanner for {{ $value | humanizeDuration }}",
    runbook: "alerts#scanner-blocked",
  },
  {
    name: "DaricAlarm",
    expr: "increase(daric_alarms_total[15m]) > 0",
    for: "0m",
    severity: "critical",
    summary: "Look at it now: {{ $labels.alarm }} {{ $labels.node }}",
    runbook: "operations#{{ $labels.alarm }}",
  },
  {
    name: "DaricDepositsStuck",
    expr: 'max(daric_open_deposits{status="STUCK"}) > 0',
    for: "5m",
    severity: "warning",
    summary: "{{ $value }} deposits do not become final",
    runbook: "alerts#deposits-stuck",
  },
  {
    name: "DaricNodeFailing",
    expr: "sum by (reason) (increase(daric_node_failures_total[10m])) > 10",
    for: "10m",
    severity: "warning",
    summary: "Nodes fail, by {{ $labels.reason }}",
    runbook: "alerts#node-failing",
  },
  {
    name: "DaricQuorumShort",
    expr: "daric_quorum_short == 1",
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.node }} does not confirm our blocks, or does not answer",
    runbook: "alerts#quorum-short",
  },
  {
    name: "DaricWebhookBacklog",
    expr: "max(daric_webhook_deliveries_due) > 1000",
    for: "10m",
    severity: "warning",
    summary: "{{ $value }} webhooks are due and not sent",
    runbook: "alerts#webhook-backlog",
  },
  {
    name: "DaricWebhooksLate",
    expr: "max(daric_webhook_oldest_due_seconds) > 300",
    for: "2m",
    severity: "critical",
    summary: "A webhook has been due for {{ $value | humanizeDuration }}",
    runbook: "alerts#webhooks-late",
  },
  {
    name: "DaricWebhooksFailing",
    expr: 'sum(increase(daric_webhook_attempts_total{result!="delivered"}[30m])) / sum(increase(daric_webhook_attempts_total[30m])) > 0.5',
    for: "30m",
    severity: "warning",
    summary: "Most attempts to deliver webhooks fail",
    runbook: "alerts#webhooks-failing",
  },
  {
    name: "DaricWebhookBodyMissing",
    expr: 'increase(daric_webhook_attempts_total{result="body_missing"}[1h]) > 0',
    for: "0m",
    severity: "critical",
    summary: "The body of an event was gone before it was delivered",
    runbook: "alerts#webhook-body-missing",
  },
  {
    name: "DaricGasLow",
    expr: "min(daric_gas_wallet_sun) < 100000000",
    for: "5m",
    severity: "warning",
    summary: "The gas wallet holds {{ $value }} sun, less than 100 TRX",
    runbook: "alerts#gas-low",
  },
  {
    name: "DaricStakeLow",
    expr: "max(daric_stake_loans_free) < 1",
    for: "1h",
    severity: "warning",
    summary: "The stake lends no energy for a transfer of USDT",
    runbook: "alerts#stake-low",
  },
  {
    name: "DaricSweepsStuck",
    expr: 'max by (status) (daric_sweep_oldest_seconds{status=~"PLANNED|ACTIVATING|RESOURCED|SIGNED|SENT|SOLID"}) > 1800',
    for: "5m",
    severity: "critical",
    summary: "A sweep has been {{ $labels.status }} for {{ $value | humanizeDuration }}",
    runbook: "alerts#sweeps-stuck",
  },
  {
    name: "DaricSignerSilent",
    expr: "max(daric_signer_silence_seconds) > 120",
    for: "5m",
    severity: "critical",
    summary: "The signer has been silent for {{ $value | humanizeDuration }}",
    runbook: "alerts#signer-silent",
  },
  {
    name: "DaricNoRate",
    expr: currencies.map((currency) => `absent(daric_rate_age_seconds{currency="${currency}"})`).join(" or "),
    for: "5m",
    severity: "critical",
    summary: "Orders priced in USD are refused: {{ $labels.currency }} has no rate",
    runbook: "alerts#no-rate",
  },
  {
    name: "DaricRateSourceStale",
    expr: "min by (source, currency) (daric_rate_source_age_seconds) > 600",
    for: "5m",
    severity: "warning",
    summary:
      "The last price of {{ $labels.currency }} by {{ $labels.source }} is {{ $value | humanizeDuration }} old",
    runbook: "alerts#rate-source-stale",
  },
  {
    name: "DaricRateSourceUnused",
    expr: "max by (source, currency) (daric_rate_source_used) == 0",
    for: "1h",
    severity: "warning",
    summary: "The rate of {{ $labels.currency }} does not use {{ $labels.source }}",
    runbook: "alerts#rate-source-unused",
  },
  {
    name: "DaricAddressesOut",
    expr: "min(daric_addresses_ahead) == 0",
    for: "2m",
    severity: "critical",
    summary: "No address is ready for the next order",
    runbook: "alerts#addresses-out",
  },
  {
    name: "DaricPoolExhausted",
    expr: "max by (pool) (daric_database_waiting) > 0",
    for: "2m",
    severity: "critical",
    summary: "Work waits for a database connection of the pool {{ $labels.pool }}",
    runbook: "alerts#pool-exhausted",
  },
  {
    name: "DaricOverload",
    expr: 'sum(increase(daric_http_refusals_total{code="SERVICE_UNAVAILABLE"}[5m])) > 50',
    for: "2m",
    severity: "critical",
    summary: "{{ $value }} requests were refused with 503 in five minutes",
    runbook: "alerts#overload",
  },
  {
    name: "DaricConnectionsNearCap",
    expr: "daric_http_connections / daric_http_connections_max > 0.8",
    for: "2m",
    severity: "warning",
    summary: "The listener {{ $labels.listener }} uses {{ $value | humanizePercentage }} of its connections",
    runbook: "alerts#connections-near-cap",
  },
  {
    name: "DaricSignInsFail",
    expr: 'sum(increase(daric_http_refusals_total{code=~"SIGN_IN_FAILED|WRONG_CODE"}[10m])) > 100',
    for: "1m",
    severity: "warning",
    summary: "{{ $value }} sign-ins failed in ten minutes: a password or a code may be guessed",
    runbook: "alerts#sign-ins-fail",
  },
  {
    name: "DaricKeysExpiring",
    expr: "max(daric_api_keys_expiring) > 0",
    for: "1h",
    severity: "warning",
    summary: "{{ $value }} API keys in use expire within two weeks",
    runbook: "alerts#keys-expiring",
  },
  {
    name: "DaricPartitionsLow",
    expr: "min(daric_partition_months_ahead) < 2",
    for: "1h",
    severity: "warning",
    summary: "The monthly tables exist for {{ $value }} more months: run `daric migrate`",
    runbook: "alerts#partitions-low",
  },
  {
    name: "DaricMetricsMissing",
    expr: "increase(daric_metrics_collector_failures_total[15m]) > 3",
    for: "5m",
    severity: "warning",
    summary: "Metrics are missing: {{ $labels.collector }} could not be queried",
    runbook: "alerts#metrics-missing",
  },
];
