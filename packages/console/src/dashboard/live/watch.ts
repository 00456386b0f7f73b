import type { CallerScope } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { scopesOfRole } from "@daric/domain/merchant-role";
import type { Database } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import { createSharedPoller, type SharedPoller, versionTag } from "@daric/runtime/shared-poller";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { findEntitled, type Watched } from "../../people/entitled-store.ts";
import {
  findOwnStandings,
  findServiceStanding,
  findStandings,
  type MerchantStanding,
  type OrderMaker,
} from "./standing-store.ts";

/** A poll that repeats in half a second gives up early. */
const POLL_MS = 2_500;

export type WatchContext = Pick<ContextOf<object>, "clock" | "db" | "log" | "databaseOutage">;

/** The key of a watched merchant or service in the shared poll. */
export function keyOfWatched({ sessionId, merchantId }: Watched): string {
  return `${sessionId}/${merchantId ?? "service"}`;
}

function watchedOf(key: string): Watched {
  const [sessionId, merchantId] = key.split("/");
  return { sessionId, merchantId: merchantId === "service" ? undefined : merchantId } as Watched;
}

/**
 * One poll for every open page of this process. It costs two statements each half second for any number of pages, a third where a cashier's is
 * among them, and none without a page. A key is unknown once its session has ended or its person lacks the right.
 */
export function createChangeWatch(
  { clock, db, log, databaseOutage }: WatchContext,
  wakeUps: Pick<WakeUps, "onWakeUp"> | undefined,
): SharedPoller {
  const quick = db.answeringWithin(POLL_MS);
  const poller = createSharedPoller({
    clock,
    findChanged: async (keys, versions) => {
      const now = await readStandings(quick, keys);
      return keys.filter((key, index) => now.get(key) !== versions[index]);
    },
    read: async (keys) => {
      const standings = await readStandings(quick, keys);
      return new Map([...standings].map(([key, json]) => [key, { json, version: json }]));
    },
    onFailure: (error) => {
      if (!databaseOutage.report(error))
        log.error(
          { event: "dashboard_poll_failed", err: error },
          "changes for the pages of the dashboard could not be read; it will be retried",
        );
    },
  });
  wakeUps?.onWakeUp(poller.wake);
  return poller;
}

/** The JSON of each key whose session may watch: a tag of each part, which reveals only whether it changed. */
async function readStandings(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const entitled = await findEntitled(db, keys.map(watchedOf));
  const ids = [...new Set(entitled.flatMap(({ merchantId }) => merchantId ?? []))];
  const standings = ids.length === 0 ? new Map<MerchantId, MerchantStanding>() : await findStandings(db, ids);
  const makers = makersOf(entitled);
  const owns = makers.length === 0 ? [] : await findOwnStandings(db, makers);
  const isOperator = entitled.some(({ merchantId }) => merchantId === undefined);
  const service = isOperator ? tagsOf({ service: await findServiceStanding(db) }) : "";
  const jsons = new Map<string, string>();
  for (const watched of entitled) {
    const { merchantId, personId, role, act } = watched;
    const standing = merchantId && standings.get(merchantId);
    if (merchantId === undefined) jsons.set(keyOfWatched(watched), service);
    if (standing === undefined || role === null) continue;
    const own = owns.find((maker) => maker.merchantId === merchantId && maker.personId === personId);
    const { webhooks, account, payments } = { ...standing, ...own };
    const sees = (right: CallerScope, part: object) => (scopesOfRole(role).includes(right) ? part : {});
    const parts = {
      payments,
      ...sees("webhooks:read", { webhooks }),
      ...sees("account:read", { account: `${account} ${act}` }),
    };
    jsons.set(keyOfWatched(watched), tagsOf(parts));
  }
  return jsons;
}

/** The pages of those who see own orders alone: they hear of these alone. */
function makersOf(entitled: Awaited<ReturnType<typeof findEntitled>>): OrderMaker[] {
  return entitled.flatMap(({ merchantId, personId, role }) =>
    merchantId === undefined || role === null || scopesOfRole(role).includes("orders:all")
      ? []
      : [{ merchantId, personId }],
  );
}

function tagsOf(parts: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(parts).map(([part, version]) => [part, versionTag(version)])),
  );
}
