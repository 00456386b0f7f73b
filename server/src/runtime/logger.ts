import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger } from "pino";

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

/**
 * JSON lines on standard output, one event a line, with snake_case fields. Fields that could hold a secret are
 * redacted wherever they stand; secrets must not be put into messages.
 */
export function createLogger(options: {
  level: string;
  role: string;
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { role: options.role },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
