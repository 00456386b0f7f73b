/** The nodes lack something that the next step needs, such as a block. Nothing is written, and the step is retried. */
export class NotYetError extends Error {
  override readonly name = "NotYetError";
}
