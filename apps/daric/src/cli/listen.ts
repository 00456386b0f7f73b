import { isUrl } from "@daric/domain/url";
import { Daric, DaricError } from "@daric/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { CommandError } from "./failure.ts";
import { derivedWebhookSecret, type Forwarded, forwardEvent, isWebhookSecret } from "./forward-event.ts";
import type { OutputOptions } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_URL = "http://127.0.0.1:3000";
/** Events that are stored for all merchants. The others are stored only if an endpoint subscribes to them. */
const ALWAYS_STORED = /^(deposit\.(confirmed|unmatched)|order\.|settlement\.|webhook\.)/;

export type ListenOptions = OutputOptions & {
  readonly forwardTo: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly events?: string;
  readonly after: string;
  readonly replay?: string;
  readonly secret?: string;
};

type ListedEvent = Awaited<ReturnType<Daric["events"]["retrieve"]>>;

/** `daric listen`: delivers a merchant's events to a program on this machine. It needs an API key, and no database. */
export function addListenCommand(program: Command, terminal: Terminal): void {
  program
    .command("listen")
    .description(
      "deliver your events to a program on this machine, signed, while it runs: no public address is needed",
    )
    .requiredOption("--forward-to <url>", "the receiver, like http://localhost:4000/hook", httpUrl)
    .option("--api-key <key>", "a secret key of the merchant; by default DARIC_KEY of the environment")
    .option(
      "--base-url <url>",
      `the service, without /v1; by default DARIC_URL, or else ${DEFAULT_URL}`,
      httpUrl,
    )
    .option("--events <names>", "only these, with commas between; every event by default")
    .option("--after <id>", "begin after this event; by default with those from now on", "newest")
    .option("--replay <id>", "deliver this event once, print the answer, and end")
    .option(
      "--secret <secret>",
      "sign with this one; by default one of this key, the same at each start",
      secret,
    )
    .option("--json", "print one line of JSON for each delivery")
    .addHelpText(
      "after",
      "\nEach event is delivered once, in order, and is not retried: repeat one with --replay. Your endpoints get theirs too.\n" +
        "deposit.detected, confirming, stuck, reorged and failed are stored only where an endpoint subscribes to them; it may be disabled.",
    )
    .action((options: ListenOptions) => forwardEvents(terminal, options));
}

/**
 * Follows the events of a merchant and delivers each, until `signal` aborts. With `replay` it delivers one and returns.
 *
 * @throws CommandError without a key, and where the receiver does not accept the replayed event; DaricError when the
 * service refuses.
 */
export async function forwardEvents(
  terminal: Terminal,
  options: ListenOptions,
  signal?: AbortSignal,
): Promise<void> {
  const apiKey = options.apiKey ?? terminal.variables.DARIC_KEY;
  if (apiKey === undefined || apiKey === "")
    throw new CommandError("an API key is missing: give --api-key, or DARIC_KEY in the environment", 2);
  const baseUrl = options.baseUrl ?? (terminal.variables.DARIC_URL || DEFAULT_URL);
  const daric = new Daric({ baseUrl, apiKey, userAgent: "daric-listen" });
  const signingSecret = options.secret ?? derivedWebhookSecret(apiKey);
  const deliver = async (event: ListedEvent): Promise<boolean> => {
    const forwarded = await forwardEvent(event, { url: options.forwardTo, secret: signingSecret });
    terminal.write(`${options.json ? JSON.stringify(forwarded) : lineOf(forwarded)}\n`);
    return forwarded.isAccepted;
  };
  if (options.replay !== undefined) {
    if (await deliver(await daric.events.retrieve(options.replay).catch(explain))) return;
    throw new CommandError("the receiver did not accept the event");
  }
  const types = options.events?.split(",").map((name) => name.trim()) as ListedEvent["event"][] | undefined;
  // A first page makes the service refuse a wrong key, `after` or name before the first line is printed.
  const first = { after: options.after, types: types?.join(","), limit: 1 };
  const { meta } = await daric.events.list(first).catch(explain);
  const printNote = options.json ? terminal.writeError : terminal.write;
  printNote(`Events of ${baseUrl} go to ${options.forwardTo}. Ctrl-C ends it.\n`);
  printNote(`Signing secret of these deliveries: ${signingSecret}\n`);
  for (const name of types?.filter((type) => !ALWAYS_STORED.test(type)) ?? [])
    printNote(`${name} comes only while an endpoint of yours subscribes to it, which may be disabled.\n`);
  const after = options.after === "newest" ? (meta.next ?? undefined) : options.after;
  const onFault = ({ message }: Error) => terminal.writeError(`daric: ${message} It is tried again.\n`);
  for await (const event of daric.events.follow({ after, types, signal, onFault })) await deliver(event);
}

/** @throws CommandError with the rule of each field that the service refuses. */
function explain(error: unknown): never {
  if (!(error instanceof DaricError)) throw error;
  const rules = error.details.map(({ path, message }) => ` ${path}: ${message}.`);
  throw new CommandError(`${error.message}${rules.join("")}`);
}

function lineOf({ at, id, event, outcome, durationMs }: Forwarded): string {
  return `${at} ${event} ${id}: ${outcome}${durationMs === undefined ? "" : ` after ${durationMs} ms`}`;
}

function httpUrl(text: string): string {
  if (isUrl(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("It must be an http or https URL.");
}

function secret(text: string): string {
  if (isWebhookSecret(text)) return text;
  throw new InvalidArgumentError("It must be whsec_ and 64 lowercase hex characters.");
}
