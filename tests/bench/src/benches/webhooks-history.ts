import { chargeBody, getRequest, inTurn } from "../charge-requests.ts";
import { fillHistory, pickHistory } from "../fill-history.ts";
import type { Request } from "../generator.ts";
import { type Bench, type Contestant, compare, type Outcome, print } from "../harness.ts";
import { onStage, type Stage, type StagedMerchant } from "../stage.ts";
import { worstOf } from "./four-requests.ts";

const SMALL = 10_000;
const CONNECTIONS = 8;
const bars = { max: 1.2 };

const names = ["page", "status", "reference", "after", "events"] as const;
type Name = (typeof names)[number];

/** The cost of the delivery list, its filters and the feed of events after a long history. */
export const webhooksHistory: Bench = {
  name: "webhooks-history",
  measures:
    "CPU of a first page of deliveries, one by status, one by reference, one after a row and a page of events, the worst of " +
    "them, with 10^7 finished deliveries (`--deliveries`) of one merchant over the same with 10^4",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const small = await openHistory(stage, "small", SMALL);
      const large = await openHistory(stage, "large", effort.deliveries);
      const outcomes: Outcome[] = [];
      for (const name of names) {
        print(name);
        const [ceiling, ours] = [small(name), large(name)];
        const comparison = { ceiling, ours, measure: "cpu", postgresPid: stage.postgresPid } as const;
        outcomes.push(await compare(comparison, effort));
      }
      return { ...worstOf(outcomes), unit: "µs of CPU a request", bars };
    }),
};

async function openHistory(stage: Stage, name: string, count: number): Promise<(name: Name) => Contestant> {
  const deployment = await stage.open(name);
  const merchant = await deployment.merchant();
  const api = await deployment.serve("api");
  const endpointId = await anEndpoint(api.port, merchant);
  const onProgress = (done: number) => print(`  ${name}: ${done} of ${count}`);
  await fillHistory(deployment.db, { merchantId: merchant.id, id: endpointId }, { count, onProgress });
  const { resourceIds, middleId } = await pickHistory(deployment.db, merchant.id, count);
  const nextResource = inTurn(resourceIds);
  const [row] = await call<{ id: string }[]>("/v1/webhooks/deliveries?status=EXHAUSTED", {
    port: api.port,
    merchant,
  });
  const paths: Readonly<Record<Name, () => string>> = {
    page: () => "/v1/webhooks/deliveries?limit=20",
    status: () => "/v1/webhooks/deliveries?status=EXHAUSTED&limit=20",
    reference: () => `/v1/webhooks/deliveries?referenceId=${nextResource()}&limit=20`,
    after: () => `/v1/webhooks/deliveries?after=${row?.id}&limit=20`,
    events: () => `/v1/events?after=${middleId}&limit=20`,
  };
  return (which) => {
    const next = (): Request => getRequest(paths[which](), merchant);
    return chargeBody(which, api, { connections: CONNECTIONS, next });
  };
}

async function anEndpoint(port: number, merchant: StagedMerchant): Promise<string> {
  const body = JSON.stringify({ url: "http://127.0.0.1:9/hook" });
  const { id } = await call<{ id: string }>("/v1/webhooks/endpoints", {
    port,
    merchant,
    method: "POST",
    body,
  });
  return id;
}

async function call<Data>(
  path: string,
  { port, merchant, ...init }: RequestInit & { port: number; merchant: StagedMerchant },
): Promise<Data> {
  const headers = { "x-api-key": merchant.apiKey, "content-type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  return ((await answer.json()) as { data: Data }).data;
}
