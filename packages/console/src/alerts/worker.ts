import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { getFile } from "@daric/egress/get-file";
import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { reasonOf, sendMessages } from "@daric/messages/send-messages";
import { isDatabaseUnavailable } from "@daric/postgres/errors";
import { keepLease, LeaseLostError } from "@daric/runtime/lease";
import { ALARMS, alarmKey } from "@daric/runtime/metrics";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { alerts } from "./alerts.ts";
import { channelsOf } from "./channels.ts";
import type { AlertContext } from "./context.ts";
import { createDeliverAlert } from "./deliver-alert.ts";
import { createOutageNotice } from "./outage-notice.ts";
import { READY } from "./process-checks.ts";
import { insertSamples } from "./sample-store.ts";
import type { ScrapedSample } from "./scrape.ts";
import { createAlertTurn } from "./turn.ts";

const ROUND_MS = 20_000;
const LEASE_TTL_MS = 60_000;

type Check = { readonly name: string; readonly detail: string };

type NotifierOptions = {
  /** the name of this process in samples: its host and its port of metrics */
  readonly process: string;
  /** the readiness checks of this process: its samples keep what they found, for Health of every process */
  readonly findReadiness: () => Promise<{ readonly checks: readonly Check[] }>;
  readonly access?: NetworkAccess;
  readonly roundMs?: number;
};

/**
 * Samples the metrics of this process for the notifier. The process with the lease evaluates the alerts, sends their
 * messages, and calls the heartbeat's URL.
 */
export function startNotifier(
  context: AlertContext,
  { process: name, findReadiness, access = systemAccess, roundMs = ROUND_MS }: NotifierOptions,
): Pick<WorkerLoop, "stop"> {
  const { db, clock, config } = context;
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const lease = keepLease(db, {
    name: `alerts:${config.chain.network}`,
    holder,
    ttlMs: LEASE_TTL_MS,
    clock,
  });
  const channels = channelsOf(config, access);
  const beat = createHeartbeat(context, access);
  const outage = createOutageNotice(context, { channels, process: name });
  const turn = createAlertTurn(
    context,
    channels.map((channel) => channel.name),
  );
  const deliver = createDeliverAlert(context, channels, turn.latest);

  async function work(): Promise<void> {
    await storeSample(context, { process: name, findReadiness });
    const held = await lease.current();
    outage.over(held !== undefined);
    if (held === undefined) return turn.forget();
    await turn.take(held);
    await sendMessages(context, { lane: "operator", atOnce: channels.length || 1 }, deliver);
    await beat();
  }

  const loop = startWorkerLoop({
    name: "alerts",
    pollMs: roundMs,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      try {
        await work();
      } catch (error) {
        if (error instanceof LeaseLostError) return false;
        if (isDatabaseUnavailable(error)) await outage.lasts();
        throw error;
      }
      return false;
    },
  });
  return {
    stop: async () => {
      await loop.stop();
      // A process that is stopped on purpose is not reported as silent. Without the database its samples just grow
      // old.
      await insertSamples(db, { process: name, samples: null }).catch(() => {});
      await lease.release().catch(() => {});
    },
  };
}

/** Stores the metrics that the conditions of alerts need, with what the readiness checks and the alarms about nodes found. */
async function storeSample(
  { db, metrics }: Pick<AlertContext, "db" | "metrics">,
  { process, findReadiness }: Pick<NotifierOptions, "process" | "findReadiness">,
): Promise<void> {
  const samples = await readSamples(metrics.registry);
  const { checks } = await findReadiness();
  const detailOf = new Map(checks.map(({ name, detail }) => [name, detail]));
  const detailed = samples.map((sample) => {
    if (sample.metric === READY) return { ...sample, detail: detailOf.get(sample.labels.check ?? "") };
    return sample.metric === ALARMS
      ? { ...sample, detail: metrics.alarmWords.get(alarmKey(sample.labels)) }
      : sample;
  });
  await insertSamples(db, { process, samples: detailed });
}

/** The samples of this process that the alerts need. */
async function readSamples(registry: AlertContext["metrics"]["registry"]): Promise<ScrapedSample[]> {
  const needed = new Set(alerts.flatMap(({ condition }) => condition.metrics));
  const known = (await registry.getMetricsAsJSON()).filter(({ name }) => needed.has(name));
  return known.flatMap(({ name, values }) =>
    values.map(({ labels, value }) => ({ metric: name, labels: textsOf(labels), value })),
  );
}

/** Labels as Prometheus has them. */
function textsOf(labels: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)]));
}

const EVERY_MS = 60_000;
/** A failed heartbeat is logged at most this often. */
const LOG_EVERY_MS = 600_000;
const REQUEST_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Calls the heartbeat's URL, at most once a minute. The service behind it notices when no call comes. */
function createHeartbeat(
  { config, clock, log }: Pick<AlertContext, "config" | "clock" | "log">,
  access: NetworkAccess,
): () => Promise<void> {
  const url = config.alerts.heartbeatUrl;
  let calledMs = Number.NEGATIVE_INFINITY;
  let loggedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (url === undefined || nowMs - calledMs < EVERY_MS) return;
    calledMs = nowMs;
    const targets = { allowTargets: [new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")], denyTargets: [] };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const request = { url, headers: { "user-agent": "daric" }, maxBytes: MAX_ANSWER_BYTES, signal };
    try {
      const { statusCode } = await getFile(targets, request, access);
      if (statusCode > 299) throw new Error(`it answered HTTP ${statusCode}`);
    } catch (error) {
      if (nowMs - loggedMs < LOG_EVERY_MS) return;
      loggedMs = nowMs;
      log.warn({ event: "heartbeat_failed", reason: reasonOf(error) }, "the heartbeat's URL was not reached");
    }
  };
}
