import { isDatabaseUnavailable } from "@daric/postgres/errors";
import { variableOf } from "../config.ts";
import { ApiError } from "../domain/errors.ts";
import { ConfigError } from "../runtime/setting.ts";

/** A command that cannot do what it was asked, with the sentence that says why. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What standard error says of a failure: one line, or one for each wrong setting. Never a stack. */
export function failureLines(error: unknown): string[] {
  if (error instanceof ConfigError) return error.message.split("\n");
  if (error instanceof ApiError) return [refusalLine(error)];
  if (isDatabaseUnavailable(error)) {
    return [`${messageOf(error)} (is PostgreSQL running, and ${variableOf("runtime.databaseUrl")} right?)`];
  }
  return [messageOf(error)];
}

function refusalLine(error: ApiError): string {
  if (error.details.length === 0) return error.message;
  return error.details.map(({ path, message }) => `${optionOf(path)} ${message}`).join("; ");
}

/** The option that sets a field: orderLifetime → --order-lifetime, scopes.0 → --scopes. */
function optionOf(path: string): string {
  const [field = ""] = path.split(".");
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || "unknown failure";
}
