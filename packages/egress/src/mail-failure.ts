import {
  adviceOnRefusal,
  faultOfRefusal,
  type MailFault,
  type SenderNames,
} from "@daric/domain/mail-refusal";
import { theMailServer, withAdvice } from "@daric/domain/transport-fault";

/** A mail that the server did not take for every receiver. The message has no address of a receiver, because it is logged. */
export class MailFailure extends Error {
  override readonly name = "MailFailure";
  /** `server`: other mails fail too. `receiver`: the address is refused for good. `message`: this mail failed. */
  readonly of: MailFault;
  /** the pause that the server asked for */
  readonly pauseMs: number | undefined;

  constructor(message: string, { of, pauseMs }: { of: MailFault; pauseMs?: number | undefined }) {
    super(message);
    this.of = of;
    this.pauseMs = pauseMs;
  }
}

/** The fields that nodemailer gives its errors. */
type SmtpError = {
  readonly message: string;
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
};

/** The refused thing, by the command. */
const refusedAt: Readonly<Record<string, string>> = {
  CONN: "the connection",
  EHLO: "the greeting",
  HELO: "the greeting",
  "MAIL FROM": "the sender",
  "RCPT TO": "the receiver",
};

/** The failure of a mail by an error of nodemailer. `which` names the receiver among several. */
export function mailFailureOf(error: unknown, names: SenderNames, which?: string): MailFailure {
  const { message, code, command = "", response } = fieldsOf(error);
  const greeted = `(greeted as ${names.greetedAs})`;
  if (response === undefined && code !== "EMESSAGE") {
    const words = withAdvice(withoutAddresses(message), error, { ...theMailServer, setting: names.setting });
    // Without a code it is an error of ours, such as a text that cannot be sent.
    return new MailFailure(`${words} ${greeted}`, { of: code === undefined ? "message" : "server" });
  }
  const reply = withoutAddresses(oneLine(response ?? message));
  const refused = command.startsWith("AUTH") ? "the login" : (refusedAt[command] ?? "the mail");
  const advice = adviceOnRefusal(reply, names);
  const words = [`the mail server refused ${which ?? refused}`, reply, advice].filter((part) => part);
  return new MailFailure(`${words.join(": ")} ${greeted}`, {
    of: faultOfRefusal({ command, reply }),
    pauseMs: pauseOf(reply),
  });
}

function fieldsOf(error: unknown): SmtpError {
  return error instanceof Error ? error : { message: String(error) };
}

const MAX_REPLY_CHARS = 200;

/** A reply without line ends, control characters, and the codes that its further lines repeat. */
function oneLine(response: string): string {
  const [first = "", ...others] = response.split(/\r?\n/);
  const rest = others.map((line) => line.replace(/^\d{3}[ -](?:[245]\.\d+\.\d+ )?/, ""));
  return [first.replace(/^(\d{3})-/, "$1 "), ...rest]
    .join(" ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, MAX_REPLY_CHARS)
    .trim();
}

function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"']{1,64}@[^\s<>"']{1,255}/g, "[address]");
}

const MAX_PAUSE_MS = 3_600_000;
const SECONDS_OF = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
]);

/** The pause that a temporary refusal asks for in its words, at most an hour; undefined if it names none. */
function pauseOf(reply: string): number | undefined {
  if (!reply.startsWith("4")) return undefined;
  const clock = /\b(\d\d):(\d\d):(\d\d)\b/.exec(reply)?.slice(1).map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = clock ?? [];
  const [, count, unit = ""] =
    /\b(?:in|for|after|wait) (\d{1,5}) ?([smh])(?:ec\w*|in\w*|ours?)?\b/i.exec(reply) ?? [];
  const asked = clock
    ? hours * 3_600 + minutes * 60 + seconds
    : Number(count ?? 0) * (SECONDS_OF.get(unit.toLowerCase()) ?? 0);
  return asked === 0 ? undefined : Math.min(asked * 1_000, MAX_PAUSE_MS);
}
