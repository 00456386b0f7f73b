import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, print, round3 } from "../harness.ts";
import { DESKTOP, type Device, type Payer, PHONE, withPayer } from "../payer.ts";

/** Less than the time to the page's first poll. */
const AFTERWARDS_MS = 1_500;
const bars = { max: 1, bytes: 14_000, requests: 3 };

/** The page's bytes on the line, headers included, as the browser counts them. */
export const pageWeight: Bench = {
  name: "page-weight",
  measures:
    "the bytes that a browser without a cache receives for the whole page of an order, and its requests; the worse of a phone and a desktop; " +
    "the same of a payment link with every part",
  bar: `each at most ${bars.bytes} bytes in ${bars.requests} requests`,
  run: () =>
    withPayer("page_weight", async (payer) => {
      const loadsOf = async (page: string, url: string) => [
        await loadOn(`${page} phone`, PHONE, { ...payer, url }),
        await loadOn(`${page} desktop`, DESKTOP, { ...payer, url }),
      ];
      const loads = await loadsOf("order", payer.url);
      const linkLoads = await loadsOf("link", payer.linkUrl);
      const bytes = Math.max(...loads.map((load) => load.bytes));
      return {
        ratio: round3(bytes / bars.bytes),
        ours: bytes,
        ceiling: bars.bytes,
        unit: "bytes",
        rounds: 1,
        bars,
        holds: [...loads, ...linkLoads].every(
          (load) => load.bytes <= bars.bytes && load.requests <= bars.requests,
        ),
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

async function loadOn(
  name: string,
  device: Device,
  { openPage: loadPage, url }: Payer,
): Promise<{ bytes: number; requests: number }> {
  const { page, devtools } = await loadPage(device);
  const sent: string[] = [];
  let bytes = 0;
  devtools.on("Network.requestWillBeSent", ({ request }) => {
    if (!request.url.startsWith("data:")) sent.push(request.url);
  });
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  await page.goto(url, { waitUntil: "load" });
  await sleep(AFTERWARDS_MS);
  for (const url of sent) print(`  ${name} ${url.replace(/^.*:\d+/, "")}`);
  print(`  ${name} ${bytes} bytes`);
  await page.context().close();
  return { bytes, requests: sent.length };
}
