import type { StartRefusal } from "@daric/runtime/log-events";

/** A reason not to start, for the operator. It is no fault of the program, so no stack is shown. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly event: StartRefusal;

  constructor(event: StartRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.event = event;
  }
}
