import { forgetCustomerEmails } from "@daric/charges/forget-customer-emails";
import type { MessageLane } from "@daric/domain/message";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { createMailer } from "@daric/egress/send-mail";
import { sendMessages } from "@daric/messages/send-messages";
import { deleteOldMessages } from "@daric/messages/store";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import type { MessageContext } from "./context.ts";
import { createDeliverMessage } from "./deliver-message.ts";
import { createSchedule } from "./schedule.ts";

/** A message waits so long at most where another process wrote it. */
const POLL_MS = 5_000;
const SCHEDULE_MS = 60_000;
const DAY_MS = 86_400_000;

type Lane = Exclude<MessageLane, "operator">;

/** Sends the messages of members and payers, mails and chats apart, and writes those of days and months. */
export function startMessageWorker(
  context: MessageContext,
  { wakeUps, access }: { wakeUps?: WakeUps; access?: NetworkAccess } = {},
): Pick<WorkerLoop, "stop"> {
  const { smtpUrl, mailFrom, perMinute, greetingName } = context.config.mail;
  const { publicBaseUrl } = context.config.http;
  const mailer =
    smtpUrl === undefined || mailFrom === undefined
      ? undefined
      : createMailer({ smtpUrl, mailFrom, publicBaseUrl, perMinute, greetingName });
  const deliver = createDeliverMessage({ ...context, mailer, ...(access && { access }) });
  const lanes = (["mail", "chat"] as const).map((lane) =>
    startLane(context, lane, () => sendMessages(context, lane, deliver)),
  );
  const chores = startChores(context);
  wakeUps?.onWakeUp(() => {
    for (const lane of lanes) lane.wake();
  });
  return {
    stop: async () => {
      await Promise.all([...lanes, chores].map((loop) => loop.stop()));
      mailer?.close();
    },
  };
}

function startLane(
  context: MessageContext,
  lane: Lane,
  send: () => ReturnType<typeof sendMessages>,
): WorkerLoop {
  let pausedUntilMs = 0;
  return startWorkerLoop({
    name: `messages-${lane}`,
    pollMs: POLL_MS,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      if (context.clock.monotonicMs() < pausedUntilMs) return false;
      const { taken, pauseMs } = await send();
      pausedUntilMs = context.clock.monotonicMs() + pauseMs;
      return taken > 0 && pauseMs === 0;
    },
  });
}

/** Writes what is due by the time of day, and forgets what is old. */
function startChores(context: MessageContext): WorkerLoop {
  const schedule = createSchedule(context);
  let cleanedMs = Number.NEGATIVE_INFINITY;
  return startWorkerLoop({
    name: "messages-schedule",
    pollMs: SCHEDULE_MS,
    log: context.log,
    databaseOutage: context.databaseOutage,
    processNext: async () => {
      await schedule.write();
      if (context.clock.monotonicMs() - cleanedMs < DAY_MS) return false;
      cleanedMs = context.clock.monotonicMs();
      await deleteOldMessages(context.db);
      await forgetCustomerEmails(context);
      return false;
    },
  });
}
