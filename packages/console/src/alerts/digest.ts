import { type AlertMessage, type AlertOrigin, plainMessage, spanText } from "./message.ts";
import type { Scrape } from "./scrape.ts";

/** An occurrence that started; its condition holds since `pendingSince`, and `endedAt` is null while it is open. */
type RecentAlert = {
  readonly alert: string;
  readonly summary: string;
  readonly pendingSince: Date;
  readonly endedAt: Date | null;
};

/** The digest of a day: open alerts, ended alerts, and the state of the service. */
export function dailyDigest(
  { recent, now, latest }: { recent: readonly RecentAlert[]; now: Date; latest: Scrape },
  origin: AlertOrigin,
): AlertMessage {
  const ago = (at: Date) => spanText((now.getTime() - at.getTime()) / 1_000);
  const open = recent.filter(({ endedAt }) => endedAt === null);
  const over = recent.flatMap(({ endedAt, ...each }) => (endedAt === null ? [] : [{ ...each, endedAt }]));
  const lines = [
    ...open.map(({ alert, summary, pendingSince: since }) => `open for ${ago(since)}: ${alert}: ${summary}`),
    ...over.map(
      ({ alert, summary, pendingSince: since, endedAt }) =>
        `over after ${spanText((endedAt.getTime() - since.getTime()) / 1_000)}: ${alert}: ${summary}`,
    ),
    ...(recent.length === 0 ? ["no alert in 24 hours"] : []),
    ...factsOf(latest),
  ];
  const summary = open.length === 0 ? "Daily digest: no open alert" : `Daily digest: ${open.length} open`;
  return plainMessage("digest", { summary, lines }, origin);
}

function factsOf({ samples, atSeconds }: Scrape): string[] {
  const max = (metric: string, labels: Readonly<Record<string, string>> = {}) => {
    const values = samples
      .filter((sample) => sample.metric === metric)
      .filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value))
      .map(({ value }) => value);
    return values.length === 0 ? undefined : Math.max(...values);
  };
  const block = max("daric_scanned_block");
  const time = max("daric_scanned_block_timestamp_seconds");
  const due = max("daric_webhook_deliveries_due");
  const stuck = max("daric_open_deposits", { status: "STUCK" });
  const processes = samples.filter(({ metric, value }) => metric === "up" && value === 1).length;
  return [
    `processes that answer: ${processes}`,
    ...(block === undefined || time === undefined
      ? []
      : [`the chain is read up to block ${block}, ${spanText(atSeconds - time)} old`]),
    ...(due === undefined ? [] : [`webhooks that are due: ${due}`]),
    ...(stuck === undefined ? [] : [`deposits that are stuck: ${stuck}`]),
  ];
}
