import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { onFirstStopSignal } from "./stop-signals.ts";

it("a stop is told once, however many signals ask for it", () => {
  const source = new EventEmitter();
  let told = 0;
  onFirstStopSignal(source, () => {
    told += 1;
  });
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM", "SIGHUP"]) source.emit(signal);
  expect(told).toBe(1);
});
