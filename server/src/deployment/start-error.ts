/** A reason not to start, in words for the operator. Nothing is wrong with the program, so there is no trace to show. */
export class StartError extends Error {
  override readonly name = "StartError";
}
