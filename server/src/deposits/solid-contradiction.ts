import type { Context } from "./context.ts";

/**
 * Thrown when a node's chain leaves ours at or below a block that was solid: a healthy chain cannot do that. The
 * scanner writes nothing and asks again, until the node agrees with what was final; what is confirmed stays so.
 */
export class SolidContradictionError extends Error {
  override readonly name = "SolidContradictionError";
}

/** The error to throw, counted: somebody must look. */
export function solidContradiction(
  context: Pick<Context, "metrics">,
  message: string,
): SolidContradictionError {
  context.metrics.alarms.inc({ alarm: "solid_contradiction" });
  return new SolidContradictionError(message);
}
