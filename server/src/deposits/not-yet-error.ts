/**
 * Thrown when the nodes do not show yet what the next step needs: a head that has not caught up, a block that is not
 * there. Nothing is written, and the same step is tried again.
 */
export class NotYetError extends Error {
  override readonly name = "NotYetError";
}
