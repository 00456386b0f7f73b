import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { processVariables } from "@daric/server/process/config";
import { addressToHex } from "@daric/tron/address";
import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { fullBlockAt } from "../full-block.ts";
import { runOnCommand } from "./serve-commands.ts";

/**
 * A node with little CPU cost: above the real chain's head it serves mainnet-size blocks as prepared texts, as
 * many as requested. It keeps the first blocks, and only the headers of the later ones.
 */
const SOLID_LAG = 18;
const SLOT_MS = 3_000;
const WITNESS_COUNT = 27;
const {
  TRON_NODE_URLS: chainUrl = "",
  BENCH_KEPT,
  BENCH_BLOCKS_PER_PAYMENT,
  BENCH_PAYEES = "",
  BENCH_USDT = "",
} = processVariables();
const payees = BENCH_PAYEES.split(",").map(addressToHex);
const blocksPerPayment = Number(BENCH_BLOCKS_PER_PAYMENT);
const keptFirst = Number(BENCH_KEPT);

type KeptBlock = {
  readonly header: Buffer;
  readonly details?: { readonly block: Buffer; readonly infos: Buffer };
};

const top = JSON.parse((await sendNext("POST", "/wallet/getblock", "{}")).toString("utf8"));
const { number: below, timestamp } = top.block_header.raw_data as { number: number; timestamp: number };
const kept: KeptBlock[] = [];
let headId: string = top.blockID;
let head = below;

const server = createServer((request, response) => void serve(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
runOnCommand(
  async (extent) => {
    const count = "count" in extent ? extent.count : 0;
    for (let place = keptFirst; place < kept.length - keptFirst; place += 1) forget(place);
    for (let made = 0; made < count; made += 1) makeBlock();
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
  const isInfos = url === "/wallet/gettransactioninfobyblocknum";
  if (!isInfos && !url.endsWith("/getblock")) return sendNext(method, url, body);
  const highest = url.startsWith("/walletsolidity") ? head - SOLID_LAG : head;
  const { id_or_num: wanted, num, detail } = JSON.parse(body);
  const number = Number(num ?? wanted ?? highest);
  if (number > highest) return Buffer.from(isInfos ? "[]" : "{}");
  const one = kept[number - below - 1];
  if (one === undefined) {
    const question = isInfos ? { num } : { id_or_num: String(number), detail };
    return sendNext(method, url, JSON.stringify({ ...question, visible: false }));
  }
  if (!isInfos && detail !== true) return one.header;
  if (one.details === undefined) throw new Error(`block ${number} is requested again`);
  return isInfos ? one.details.infos : one.details.block;
}

function forget(place: number): void {
  const one = kept[place];
  if (one !== undefined) kept[place] = { header: one.header };
}

function makeBlock(): void {
  const number = below + 1 + kept.length;
  const payment = kept.length / blocksPerPayment;
  const { id, block, header, infos } = fullBlockAt({
    number,
    parentId: headId,
    timeMs: timestamp + (kept.length + 1) * SLOT_MS,
    witness: witnessOf(number),
    usdtContractHex: addressToHex(BENCH_USDT),
    payeeHex: Number.isInteger(payment) ? payees[payment % payees.length] : undefined,
  });
  headId = id;
  kept.push({
    header: Buffer.from(header),
    details: { block: Buffer.from(block), infos: Buffer.from(infos) },
  });
}

/** The witness whose turn it is, with the devchain's key. */
function witnessOf(number: number): KeyPair {
  return keyPairFromPhrase(`devchain witness ${number % WITNESS_COUNT}`);
}

async function sendNext(method: string, url: string, body: string): Promise<Buffer> {
  const answer = await fetch(chainUrl + url, { method, ...(method === "POST" && { body }) });
  return Buffer.from(await answer.arrayBuffer());
}
