import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { onFirstStopSignal } from "./stop-signals.ts";

it("many signals cause one stop", () => {
  const source = new EventEmitter();
  let stops = 0;
  onFirstStopSignal(source, () => {
    stops += 1;
  });
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM", "SIGHUP"]) source.emit(signal);
  expect(stops).toBe(1);
});
