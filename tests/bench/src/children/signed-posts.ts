import { randomBytes } from "node:crypto";
import { idOf } from "@daric/domain/ids";
import { processVariables } from "@daric/server/process/config";
import { signWebhook } from "@daric/webhooks/sending/signature";
import { Pool } from "undici";
import { runOnCommand } from "./serve-commands.ts";

/** The maximum of one Node process: signs a body twice and posts it, over 32 kept connections. */
const CONNECTIONS = 32;
const { RECEIVER_URL = "", WEBHOOK_BODY = "" } = processVariables();

const secret = `whsec_${randomBytes(32).toString("hex")}`;
const body = Buffer.from(WEBHOOK_BODY);
const eventId = idOf("event", "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
const { origin, pathname } = new URL(RECEIVER_URL);
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  let left = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  async function postInTurn(): Promise<void> {
    while (left > 0 && performance.now() < endMs) {
      left -= 1;
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const headers = {
        "content-type": "application/json",
        ...signWebhook({ secret, body, eventId, timestampSeconds }),
      };
      const response = await pool.request({ method: "POST", path: pathname, headers, body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`the receiver answered ${response.statusCode}`);
      done += 1;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, postInTurn));
  return { done, elapsedMs: performance.now() - startedMs };
});
