import type { StartRefusal } from "../runtime/log-events.ts";

/** A reason not to start, in words for the operator. The program itself has no fault, so no stack is shown. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly event: StartRefusal;

  constructor(event: StartRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.event = event;
  }
}
