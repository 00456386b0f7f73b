import { listForks } from "@daric/deposits/block-store";
import { listRescans } from "@daric/deposits/rescan/rescan-store";
import { listHalts } from "@daric/deposits/verify/halt-store";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import type { ContextOf } from "@daric/runtime/context";
import { z } from "zod";
import { listOccurrences } from "../../../alerts/occurrence-store.ts";
import { alertRow, chainAnswer, toAlertRow, toChainAnswer } from "./schema.ts";

type Context = Pick<ContextOf<{ readonly chain: { readonly network: string } }>, "db" | "config">;

const tags = ["operator"];
const read = { access: "operator" } as const;
const MAX_ENDED = 50;
const MAX_PER_CHAIN = 20;

/** Alerts, and the history of the scan: forks, halts and rescans. */
export function watchRoutes(app: ApiApp, { db, config }: Context): void {
  app.get(
    "/dashboard/v1/operator/alerts",
    {
      config: read,
      schema: {
        operationId: "listAlerts",
        summary: "List the alerts",
        description: `Those whose condition holds now, and the last ${MAX_ENDED} that are over. The newest first.`,
        tags,
        response: { 200: successOf(z.array(alertRow)) },
      },
    },
    async () => ok((await listOccurrences(db, { maxEnded: MAX_ENDED })).map(toAlertRow)),
  );
  app.get(
    "/dashboard/v1/operator/chain",
    {
      config: read,
      schema: {
        operationId: "retrieveChainHistory",
        summary: "See forks, halts of the scan, and ranges that were read again",
        description: `The last ${MAX_PER_CHAIN} of each, the newest first.`,
        tags,
        response: { 200: successOf(chainAnswer) },
      },
    },
    async () => {
      const wanted = { network: config.chain.network, limit: MAX_PER_CHAIN };
      const forks = await listForks(db, wanted);
      const halts = await listHalts(db, wanted);
      return ok(toChainAnswer({ forks, halts, rescans: await listRescans(db, wanted) }));
    },
  );
}
