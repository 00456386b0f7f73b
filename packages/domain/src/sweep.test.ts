import { describe, expect, it } from "vitest";
import { endedSweepStatuses, liesOnAddress, type SweepEvent, sweepMachine, sweepStatuses } from "./sweep.ts";

/** Every edge, written out again, so that a wrong graph differs from it. */
const edges: Readonly<Record<SweepEvent, string>> = {
  funded: "PLANNED > ACTIVATING",
  resourced: "PLANNED ACTIVATING > RESOURCED",
  priced_out: "PLANNED RESOURCED > WAITING",
  frozen: "PLANNED ACTIVATING RESOURCED WAITING RETRY > FROZEN",
  dropped: "PLANNED WAITING RETRY FROZEN > DROPPED",
  expired: "ACTIVATING RESOURCED SIGNED SENT > RETRY",
  failed: "ACTIVATING SENT > RETRY",
  signed: "RESOURCED > SIGNED",
  sent: "SIGNED > SENT",
  landed: "SENT > SOLID",
  reclaimed: "SOLID > RECLAIMED",
  planned: "WAITING RETRY FROZEN > PLANNED",
};

describe("a sweep", () => {
  it("moves along these edges and no others", () => {
    const drawn = sweepMachine.events.map((event) => {
      const { from, to } = sweepMachine.edge(event);
      return [event, `${from.join(" ")} > ${to}`];
    });
    expect(Object.fromEntries(drawn)).toEqual(edges);
  });

  it("ends in the statuses without an event", () => {
    const ends = sweepStatuses.filter((status) =>
      sweepMachine.events.every((event) => !sweepMachine.next(status, event)),
    );
    expect(ends).toEqual(endedSweepStatuses);
  });

  it("is planned again after its bytes may be in a block only if they expired or failed", () => {
    expect(sweepMachine.next("SENT", "dropped")).toBeUndefined();
    expect(sweepMachine.next("SIGNED", "frozen")).toBeUndefined();
    expect(sweepStatuses.filter((status) => !liesOnAddress(status))).toEqual([
      "SENT",
      "SOLID",
      "RECLAIMED",
      "DROPPED",
    ]);
  });
});
