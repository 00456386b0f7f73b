import { setTimeout as sleep } from "node:timers/promises";
import { apiScopes } from "@daric/domain/api-scope";
import { goClient, phpClient, pythonClient } from "@daric/testing/foreign-client";
import { type Stack, startStack } from "@daric/testing/stack";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, describe, it } from "vitest";

const clients = [pythonClient, phpClient, goClient];
const BLOCK_MS = 20;

describe.skipIf(clients.every(({ isHere }) => !isHere))("a shop's day", () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let isOver = false;
  let mining: Promise<void>;

  async function mine(): Promise<void> {
    while (!isOver) {
      await stack.mine(1);
      await sleep(BLOCK_MS);
    }
  }

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([startStack(), startWebhookReceiver()]);
    mining = mine();
  });
  afterAll(async () => {
    isOver = true;
    await mining;
    await receiver.stop();
    await stack.stop();
  });

  for (const { language, isHere, testService } of clients)
    (isHere ? it.concurrent : it.concurrent.skip)(
      `with the client of ${language} against a real service`,
      async () => {
        const merchant = await stack.merchant();
        const key = await merchant.keyWith(...apiScopes);
        await testService({ DARIC_URL: stack.baseUrl, DARIC_KEY: key, DARIC_RECEIVER: receiver.url });
      },
    );
});
