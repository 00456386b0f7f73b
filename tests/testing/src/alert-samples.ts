import type { ScrapedSample } from "@daric/console/alerts/scrape";

/** Values of metrics, by names such as `daric_ready{check=node}`; NaN stands for no sample. */
export type SampleValues = Readonly<Record<string, number>>;

/** The samples of a scrape. */
export function samplesOf(values: SampleValues): ScrapedSample[] {
  const known = Object.entries(values).filter(([, value]) => !Number.isNaN(value));
  return known.map(([text, value]) => {
    const [metric = "", inner = ""] = text.split(/[{}]/);
    const pairs = inner === "" ? [] : inner.split(",").map((pair) => pair.split("="));
    return { metric, labels: Object.fromEntries(pairs), value };
  });
}

/** The samples of a healthy service at a Unix time in seconds. */
export const healthyAt = (seconds: number): SampleValues => ({
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
  daric_webhook_endpoints_disabled_total: 0,
  "daric_http_refusals_total{code=SERVICE_UNAVAILABLE}": 0,
  "daric_http_refusals_total{code=SIGN_IN_FAILED}": 0,
  "daric_metrics_collector_failures_total{collector=ready}": 0,
  daric_addresses_ahead: 20,
});

/**
 * The samples after {@link healthyAt} that make one alert fire alone. DaricProcessDown needs a process without
 * samples.
 */
export const firingAt = (seconds: number): Readonly<Record<string, SampleValues>> => ({
  DaricNoLeader: { daric_watcher_leader: 0 },
  DaricNoNode: { "daric_ready{check=node}": 0 },
  DaricNotReady: { "daric_ready{check=schema}": 0 },
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
  DaricWebhookEndpointDisabled: { daric_webhook_endpoints_disabled_total: 1 },
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
  DaricSignInsFail: { "daric_http_refusals_total{code=SIGN_IN_FAILED}": 101 },
  DaricKeysExpiring: { daric_api_keys_expiring: 1 },
  DaricPartitionsLow: { daric_partition_months_ahead: 1 },
  DaricMetricsMissing: { "daric_metrics_collector_failures_total{collector=ready}": 4 },
  DaricProcessDown: {},
});
