import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import type { LogEvent } from "./log-events.ts";
import type { RecentErrors } from "./recent-errors.ts";

export type { DestinationStream as LogOutput } from "pino";

type Named = { readonly event: LogEvent; readonly [field: string]: unknown };

/** A warning or an error names its `event`, by which an operator finds its section in docs/operations.md. */
export type Logger = Omit<PinoLogger, "warn" | "error"> & {
  warn(fields: Named, message: string): void;
  error(fields: Named, message: string): void;
};

const REDACTED_PATHS = [
  "apiKey",
  "secret",
  "password",
  "databaseUrl",
  "*.apiKey",
  "*.secret",
  "*.password",
  'headers["x-api-key"]',
  '*.headers["x-api-key"]',
];

const BUFFERED_LENGTH = 16 * 1024;

/**
 * Writes JSON lines, one event a line, with snake_case fields. Fields that could hold a secret are redacted;
 * messages must not contain secrets. Errors and outages go to `recentErrors` too.
 */
export function createLogger(options: {
  level: string;
  role: string;
  destination?: DestinationStream;
  recentErrors?: RecentErrors;
}): Logger {
  const { destination = pino.destination({ sync: true }), recentErrors } = options;
  const settings = {
    level: options.level,
    base: { role: options.role },
    timestamp: timeField(),
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
  };
  return pino(settings, recentErrors === undefined ? destination : recording(destination, recentErrors));
}

/** The stack already contains the causes; pino would repeat them in the message. */
function describeError(error: unknown): unknown {
  return error instanceof Error ? { ...pino.stdSerializers.err(error), message: error.message } : error;
}

function recording(destination: DestinationStream, recentErrors: RecentErrors): DestinationStream {
  return {
    write: (line) => {
      recentErrors.keep(line);
      destination.write(line);
    },
  };
}

function timeField(): () => string {
  let textMs = Number.NaN;
  let text = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== textMs) text = `,"time":"${new Date(nowMs).toISOString()}"`;
    textMs = nowMs;
    return text;
  };
}

/**
 * The standard output of a process. Lines of one turn of the event loop go out in one write, because a write costs
 * more than a line. Every line is written before an exit, unless the process is killed within the turn.
 */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: true });
  let lines = "";
  let isDue = false;
  // A flush would also wait for the disk if standard output is a file.
  const writeOut = (): void => {
    if (lines !== "") output.write(lines);
    lines = "";
  };
  const endTurn = (): void => {
    isDue = false;
    writeOut();
  };
  process.on("exit", () => {
    writeOut();
    output.flushSync();
  });
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= BUFFERED_LENGTH) writeOut();
      if (isDue) return;
      isDue = true;
      setImmediate(endTurn);
    },
  };
}
