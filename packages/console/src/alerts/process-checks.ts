import type { Queryable } from "@daric/postgres/sql";
import { SILENT_SECONDS } from "./history.ts";
import { spanText } from "./message.ts";
import { listNewestSamples, type NewestSamples } from "./sample-store.ts";

/** The metric of readiness checks. */
export const READY = "daric_ready";
/** Like the alert about a process that does not answer: samples are kept for an hour. */
const WITHIN_SECONDS = 3_600;

/** A readiness check of a process, by the newest sample of that process. */
export type ProcessCheck = {
  /** the host of the process and its port of metrics */
  readonly process: string;
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
};

/** The readiness checks of every process but `except`. A process that ended without a stop has one that fails. */
export async function findProcessChecks(
  db: Queryable,
  { except }: { readonly except: string },
): Promise<ProcessCheck[]> {
  const newest = await listNewestSamples(db, { withinSeconds: WITHIN_SECONDS });
  return newest.filter(({ process }) => process !== except).flatMap(checksOf);
}

function checksOf({ process, samples, ageSeconds }: NewestSamples): ProcessCheck[] {
  if (samples === null) return [];
  if (ageSeconds > SILENT_SECONDS)
    return [{ process, name: "process", ok: false, detail: `no sign of life for ${spanText(ageSeconds)}` }];
  return samples
    .filter(({ metric }) => metric === READY)
    .map(({ labels, value, detail = "" }) => ({
      process,
      name: labels.check ?? "",
      ok: value === 1,
      detail,
    }));
}
