import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { processVariables } from "@daric/server/config";
import { workWhenTold } from "./tell.ts";

/**
 * A node that costs next to nothing: it keeps what the chain behind it has once said of a block. It shows that chain up to a
 * height, which rises by as many blocks as it is told.
 */
const SOLID_LAG = 18;
const BLOCK = "/wallet/getblock";
const INFOS = "/wallet/gettransactioninfobyblocknum";
const chainUrl = processVariables().TRON_NODE_URLS;
const kept = new Map<string, Buffer>();
let head = Number(processVariables().BENCH_HEAD);

const server = createServer((request, response) => void serve(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
workWhenTold(
  async (extent) => {
    const count = "count" in extent ? extent.count : 0;
    for (let number = head + 1; number <= head + count; number += 1) await keepBlock(number);
    head += count;
    return { done: count, elapsedMs: 0 };
  },
  (server.address() as AddressInfo).port,
);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "GET", url = "/" } = request;
  const answer = await answerTo(method, url, Buffer.concat(chunks).toString("utf8"));
  response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
  response.end(answer);
}

async function answerTo(method: string, url: string, body: string): Promise<Buffer> {
  if (url === INFOS) return answerOf(url, JSON.parse(body).num);
  if (!url.endsWith("/getblock")) return ask(method, url, body);
  const { id_or_num: wanted, detail } = JSON.parse(body);
  return answerOf(url, Number(wanted ?? highestOf(url)), detail);
}

function highestOf(url: string): number {
  return url.startsWith("/walletsolidity") ? head - SOLID_LAG : head;
}

async function answerOf(url: string, number: number, detail?: boolean): Promise<Buffer> {
  return number > highestOf(url) ? Buffer.from("{}") : keep(url, number, detail);
}

async function keepBlock(number: number): Promise<void> {
  await Promise.all([keep(BLOCK, number, true), keep(INFOS, number)]);
}

async function keep(url: string, number: number, detail?: boolean): Promise<Buffer> {
  const key = `${url} ${number} ${detail}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const question = url === INFOS ? { num: number } : { id_or_num: String(number), detail };
  const answer = await ask("POST", url, JSON.stringify({ ...question, visible: false }));
  kept.set(key, answer);
  return answer;
}

async function ask(method: string, url: string, body: string): Promise<Buffer> {
  const answer = await fetch(chainUrl + url, { method, ...(method === "POST" && { body }) });
  return Buffer.from(await answer.arrayBuffer());
}
