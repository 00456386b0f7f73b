import { randomUUID } from "node:crypto";
import type { Database } from "@daric/postgres/sql";
import { isSharded, setClusterServers, shardOf } from "@daric/postgres/tenants";
import type { ContextOf } from "@daric/runtime/context";
import { createOutage, type Outage } from "@daric/runtime/outage";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { Shutdown } from "@daric/runtime/shutdown";
import { startWorkerLoop } from "@daric/runtime/worker-loop";
import { askServerOf, listPlaces } from "./distribution-store.ts";

const ROUND_MS = 1_000;
/** A server that answers nothing in so many rounds hangs. In each of them the coordinator has answered. */
const ROUNDS = 3;
const COORDINATOR_MS = 3_000;
/** A random id belongs to each of some shards after a few tries. */
const MAX_TRIES = 1_000;

const TEXTS = {
  begins:
    "a server of the database does not answer: requests of its merchants get 503, and their payments wait; orders of other merchants are created and shown, and their payments confirmed",
  lasts: "a server of the database still does not answer",
  ends: "the server of the database answers again",
};

/** `isAsked`: a statement to it has no answer yet; another one would wait beside it. */
type WatchedServer = { isAsked: boolean; unanswered: number; readonly outage: Outage };

/** `db` has a connection for each server and one more, and waits long for an answer. */
type Watching = Pick<ContextOf, "clock" | "log" | "databaseOutage"> & { readonly db: Database };

/** The check of the servers of a distributed database, which are watched until the shutdown; none on one server. */
export function databaseServerChecks(
  context: Watching,
  shutdown: Pick<Shutdown, "addWork">,
): readonly ReadinessCheck[] {
  if (!isSharded()) return [];
  const { describe, stop } = watchServers(context);
  shutdown.addWork(stop);
  // It never fails readiness: the merchants of other servers are served.
  return [{ name: "database servers", check: async () => ({ ok: true, detail: describe() }) }];
}

/** Asks each server once a second, through the coordinator, and records those that do not answer. */
function watchServers({ db, ...context }: Watching): { describe(): string; stop(): Promise<void> } {
  const watched = new Map<string, WatchedServer>();
  let hung: ReadonlySet<string> = new Set();

  async function lookOnce(): Promise<false> {
    const coordinator = db.answeringWithin(COORDINATOR_MS);
    const serverOf = new Map((await listPlaces(coordinator)).map(({ shard, server }) => [shard, server]));
    for (const name of new Set(serverOf.values())) {
      const server = watched.get(name) ?? watch(name);
      if (server.isAsked) server.unanswered += 1;
      else ask(server, merchantOn(name, serverOf));
      if (server.unanswered >= ROUNDS) server.outage.failed("no answer");
    }
    hung = new Set([...watched].flatMap(([name, { unanswered }]) => (unanswered >= ROUNDS ? [name] : [])));
    setClusterServers({ serverOf, hung });
    return false;
  }

  function watch(name: string): WatchedServer {
    const facts = { event: "database_server_hung" as const, server: name };
    const server = {
      isAsked: false,
      unanswered: 0,
      outage: createOutage({ ...context, facts, texts: TEXTS }),
    };
    watched.set(name, server);
    return server;
  }

  function ask(server: WatchedServer, merchantId: string | undefined): void {
    if (merchantId === undefined) return;
    server.isAsked = true;
    askServerOf(db, merchantId)
      .then(
        () => {
          server.unanswered = 0;
          server.outage.answered();
        },
        () => {
          server.unanswered += 1;
        },
      )
      .finally(() => {
        server.isAsked = false;
      });
  }

  const loop = startWorkerLoop({
    name: "database servers",
    pollMs: ROUND_MS,
    log: context.log,
    processNext: lookOnce,
    databaseOutage: context.databaseOutage,
  });
  return {
    describe: () => described([...watched.keys()], hung),
    stop: async () => {
      await loop.stop();
      for (const { outage } of watched.values()) outage.stop();
    },
  };
}

/** The id of a merchant, who need not exist, whose rows would stand on this server. */
function merchantOn(server: string, serverOf: ReadonlyMap<string, string>): string | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const id = randomUUID();
    if (serverOf.get(shardOf(id)) === server) return id;
  }
  return undefined;
}

function described(servers: readonly string[], hung: ReadonlySet<string>): string {
  if (hung.size === 0) return `${servers.length} of ${servers.length} answer`;
  return `${[...hung].join(", ")} ${hung.size === 1 ? "does" : "do"} not answer: requests of the merchants there get 503`;
}
