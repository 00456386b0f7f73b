import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { createRateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { createTelegram } from "@daric/messages/telegram";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { actorOf } from "../../people/schema.ts";
import { addChatUrl, askForChat, confirmChat, removeChat, testChat } from "./change-channels.ts";
import { chooseMessages } from "./choose-messages.ts";
import type { Context, MemberChange } from "./context.ts";
import { type AskingMember, readNotifications } from "./read-notifications.ts";
import {
  askedChatRow,
  channelBody,
  channelRow,
  choicesBody,
  notificationsRow,
  toChannelRow,
  toChoicesInput,
  toNotificationsRow,
} from "./schema.ts";

const tags = ["notifications"];
/** Every member may choose for themself. */
const config = { scope: "account:read" } as const;
const params = idParams("messageChannel");
const TESTS_PER_MINUTE = 6;
/** The Retry-After while Telegram does not name the bot. */
const BOT_RETRY_SECONDS = 30;

/** The messages that a member gets of a merchant, and the chats that get them. */
export function notificationRoutes(app: ApiApp, context: Context): void {
  readRoute(app, context);
  chooseRoute(app, context);
  addRoute(app, context);
  confirmRoute(app, context);
  testRoute(app, context);
  removeRoute(app, context);
}

function changeOf<T>(request: FastifyRequest, input: T): MemberChange<T> {
  return { actor: actorOf(request), merchantId: callerOfSession(request).merchantId, input };
}

/** @throws NOT_FOUND when the membership has ended since the session was read. */
function memberOf(request: FastifyRequest): AskingMember {
  const { merchantId, session } = callerOfSession(request);
  const membership = session.memberships.find((one) => one.merchantId === merchantId);
  if (membership === undefined) throw new ApiError("NOT_FOUND");
  return { merchantId, personId: session.personId, role: membership.role, email: session.email };
}

function readRoute(app: ApiApp, context: Context): void {
  app.get(
    "/dashboard/v1/notifications",
    {
      config,
      schema: {
        operationId: "retrieveNotifications",
        summary: "See which messages of a merchant you get, and where",
        tags,
        response: { 200: successOf(notificationsRow) },
      },
    },
    async (request) => ok(toNotificationsRow(await readNotifications(context, memberOf(request)))),
  );
}

function chooseRoute(app: ApiApp, context: Context): void {
  app.put(
    "/dashboard/v1/notifications",
    {
      config,
      schema: {
        operationId: "chooseNotifications",
        summary: "Choose which messages you get",
        description: "The body has every choice. A kind that is left out, or has no channel, is not sent.",
        tags,
        body: choicesBody,
        response: { 200: successOf(notificationsRow) },
      },
    },
    async (request) => {
      await chooseMessages(context, changeOf(request, toChoicesInput(request.body)));
      return ok(toNotificationsRow(await readNotifications(context, memberOf(request))));
    },
  );
}

function addRoute(app: ApiApp, context: Context): void {
  const findBot = createBotFinder(context);
  app.post(
    "/dashboard/v1/notifications/channels",
    {
      config,
      schema: {
        operationId: "addNotificationChannel",
        summary: "Add a chat",
        description:
          "`telegram`: the answer has a code, once, and the links that send it to the bot. It lives ten minutes and works once. " +
          "`url`: the incoming webhook of Slack, Discord, Mattermost or another chat; no answer has it again.",
        tags,
        body: channelBody,
        response: {
          201: createdOf(askedChatRow),
          503: refusal("SERVICE_UNAVAILABLE: no Telegram bot is configured, or Telegram does not answer."),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      if (body.kind === "url") {
        const added = toChannelRow(await addChatUrl(context, changeOf(request, body.url)));
        return reply.code(201).send(created({ ...added, code: null, link: null, group_link: null }));
      }
      const bot = `https://t.me/${await findBot()}`;
      const { channel, code } = await askForChat(context, changeOf(request, undefined));
      const links = { link: `${bot}?start=${code}`, group_link: `${bot}?startgroup=${code}` };
      return reply.code(201).send(created({ ...toChannelRow(channel), code, ...links }));
    },
  );
}

/** Finds the name of the bot once. @throws SERVICE_UNAVAILABLE without a bot, and while Telegram does not name it. */
function createBotFinder({ config: { alerts }, access }: Context): () => Promise<string> {
  let name: string | undefined;
  return async () => {
    if (alerts.telegramToken === undefined)
      throw new ApiError("SERVICE_UNAVAILABLE", {
        message: "No Telegram bot is configured: the operator sets ALERT_TELEGRAM_TOKEN.",
      });
    try {
      name ??= await createTelegram(alerts.telegramToken, access).getMe();
      return name;
    } catch {
      throw new ApiError("SERVICE_UNAVAILABLE", {
        message: "Telegram does not name the bot now. Retry shortly, or ask the operator.",
        retryAfterSeconds: BOT_RETRY_SECONDS,
      });
    }
  };
}

function confirmRoute(app: ApiApp, context: Context): void {
  app.post(
    "/dashboard/v1/notifications/channels/:id/confirm",
    {
      config,
      schema: {
        operationId: "confirmNotificationChannel",
        summary: "Confirm the Telegram chat that used the code",
        description: "No message goes to the chat before.",
        tags,
        params,
        response: { 200: successOf(channelRow) },
      },
    },
    async (request) => ok(toChannelRow(await confirmChat(context, changeOf(request, request.params.id)))),
  );
}

function testRoute(app: ApiApp, context: Context): void {
  const limiter = createRateLimiter({
    perSecond: TESTS_PER_MINUTE / 60,
    burst: TESTS_PER_MINUTE,
    clock: context.clock,
    counted: "test messages to this chat",
  });
  app.post(
    "/dashboard/v1/notifications/channels/:id/test",
    {
      config,
      schema: {
        operationId: "testNotificationChannel",
        summary: "Send a test message to a chat",
        description:
          "It is sent within seconds; `test` of the chat says what became of it. At most 6 a minute for one chat.",
        tags,
        params,
        response: { 202: successOf(z.object({})) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      takeOrRefuse(limiter, id);
      await testChat(context, changeOf(request, id));
      return reply.code(202).send(ok({}));
    },
  );
}

function removeRoute(app: ApiApp, context: Context): void {
  app.delete(
    "/dashboard/v1/notifications/channels/:id",
    {
      config,
      schema: {
        operationId: "removeNotificationChannel",
        summary: "Remove a chat",
        tags,
        params,
        response: { 200: successOf(channelRow) },
      },
    },
    async (request) => ok(toChannelRow(await removeChat(context, changeOf(request, request.params.id)))),
  );
}
