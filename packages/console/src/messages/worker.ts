import { forgetCustomerEmails } from "@daric/charges/forget-customer-emails";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { mailServerOf } from "@daric/egress/mail-settings";
import { createMailer } from "@daric/egress/send-mail";
import { deleteLapsedStops } from "@daric/messages/mail-stop-store";
import { sendMessages } from "@daric/messages/send-messages";
import { createServerPauses } from "@daric/messages/server-pauses";
import { deleteOldMessages } from "@daric/messages/store";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import type { MessageContext } from "./context.ts";
import { createDeliverMessage } from "./deliver-message.ts";
import { createSchedule } from "./schedule.ts";

/** A message waits so long at most where another process wrote it: the process that writes one wakes its own lanes. */
const POLL_MS = 10_000;
/** The first wait after a failed look is twice as long. */
const RETRY_MS = 5_000;
const SCHEDULE_MS = 60_000;
const CLEANING_MS = 6 * 3_600_000;

/** Chats are servers of their own, so a slow one holds up few others. */
const atOnce = { mail: 1, chat: 10 } as const;

/** Sends the messages of members and payers, mails and chats apart, and writes those of days and months. */
export function startMessageWorker(
  context: MessageContext,
  { wakeUps, access }: { wakeUps?: WakeUps; access?: NetworkAccess } = {},
): Pick<WorkerLoop, "stop"> {
  const { perMinute } = context.config.mail;
  const server = mailServerOf(context.config);
  const mailer = server && createMailer({ ...server, perMinute });
  const pauses = createServerPauses(context.clock);
  const deliver = createDeliverMessage({ ...context, mailer, pauses, ...(access && { access }) });
  const lanes = (["mail", "chat"] as const).map((lane) =>
    startLoop(context, { name: `messages-${lane}`, pollMs: POLL_MS, retryMs: RETRY_MS }, async () => {
      return (await sendMessages(context, { lane, atOnce: atOnce[lane] }, deliver)) > 0;
    }),
  );
  const chores = startChores(context);
  wakeUps?.onWakeUp(() => {
    for (const lane of lanes) lane.wake();
  });
  return {
    stop: async () => {
      await Promise.all([...lanes, ...chores].map((loop) => loop.stop()));
      mailer?.close();
    },
  };
}

function startLoop(
  { log, databaseOutage }: MessageContext,
  loop: { readonly name: string; readonly pollMs: number; readonly retryMs?: number },
  processNext: () => Promise<boolean>,
): WorkerLoop {
  return startWorkerLoop({ ...loop, log, databaseOutage, processNext });
}

/** Writes the messages that are due by the time of day, and deletes rows and addresses of long ago. */
function startChores(context: MessageContext): WorkerLoop[] {
  const schedule = createSchedule(context);
  return [
    startLoop(context, { name: "messages-schedule", pollMs: SCHEDULE_MS }, async () => {
      await schedule.write();
      return false;
    }),
    startLoop(context, { name: "messages-cleaning", pollMs: CLEANING_MS }, async () => {
      await deleteOldMessages(context.db);
      await deleteLapsedStops(context.db);
      await forgetCustomerEmails(context);
      return false;
    }),
  ];
}
