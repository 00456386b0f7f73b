import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { chargeMachine } from "./charge.ts";
import { depositMachine } from "./deposit.ts";
import { machine } from "./machine.ts";
import { settlementMachine, sweepMachine } from "./sweep.ts";
import { deliveryMachine } from "./webhook-delivery.ts";

const door = machine({
  OPEN: { shut: "CLOSED", broke: "GONE" },
  CLOSED: { opened: "OPEN", locked: "LOCKED", broke: "GONE" },
  LOCKED: { unlocked: "CLOSED" },
  GONE: {},
});

describe("a machine", () => {
  it("lists its states and events in the order of the graph, and starts in the first state", () => {
    expect(door.states).toEqual(["OPEN", "CLOSED", "LOCKED", "GONE"]);
    expect(door.events).toEqual(["shut", "broke", "opened", "locked", "unlocked"]);
    expect(door.initial).toBe("OPEN");
  });

  it("has one edge per event, from every state that takes it", () => {
    expect(door.edge("broke")).toEqual({ from: ["OPEN", "CLOSED"], to: "GONE" });
    expect(door.edge("unlocked")).toEqual({ from: ["LOCKED"], to: "CLOSED" });
  });

  it("moves along an edge or not at all", () => {
    expect(door.next("CLOSED", "locked")).toBe("LOCKED");
    expect(door.next("OPEN", "locked")).toBeUndefined();
    expect(door.next("GONE", "opened")).toBeUndefined();
  });

  it("is refused for a graph in which an event leads to two states", () => {
    expect(() => machine({ A: { went: "B" }, B: { went: "C" }, C: {} })).toThrow("went leads to B and to C");
  });

  it("is refused for a graph with an edge to a missing state", () => {
    // @ts-expect-error C is not a state
    expect(() => machine({ A: { went: "C" }, B: {} })).toThrow("went leads to C, which is no state");
  });

  it("takes no event and no state that its graph lacks", () => {
    // @ts-expect-error no state takes this event
    expect(() => door.edge("painted")).toThrow("no state takes the event painted");
    // @ts-expect-error no state takes this event
    expect(() => door.next("OPEN", "painted")).toThrow("no state takes the event painted");
    // @ts-expect-error no such state
    expect(door.next("AJAR", "shut")).toBeUndefined();
  });

  it("types an edge by the states that it connects", () => {
    expectTypeOf(door.edge("broke").from).toEqualTypeOf<readonly ("OPEN" | "CLOSED")[]>();
    expectTypeOf(door.edge("locked").to).toEqualTypeOf<"LOCKED">();
    expectTypeOf(door.states).toEqualTypeOf<readonly ("OPEN" | "CLOSED" | "LOCKED" | "GONE")[]>();
  });
});

describe.each([
  ["a charge", chargeMachine],
  ["a deposit", depositMachine],
  ["a delivery", deliveryMachine],
  ["a sweep", sweepMachine],
  ["a settlement", settlementMachine],
] as const)("the machine of %s", (_name, { states, events, initial, edge, next }) => {
  // The machines have different types; the loop needs a common one.
  const edgeOf = edge as (event: string) => { from: readonly string[]; to: string };
  const step = next as (state: string, event: string) => string | undefined;

  it("moves only along its edges, for every sequence of events", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...(events as readonly string[]))), (happened) => {
        let state: string = initial;
        for (const event of happened) {
          const { from, to } = edgeOf(event);
          expect(step(state, event)).toBe(from.includes(state) ? to : undefined);
          state = step(state, event) ?? state;
          expect(states).toContain(state);
        }
      }),
    );
  });

  it("reaches every state", () => {
    const reached = new Set<string>([initial]);
    for (const _ of states) {
      for (const event of events) {
        const { from, to } = edgeOf(event);
        if (from.some((state) => reached.has(state))) reached.add(to);
      }
    }
    expect([...reached].toSorted()).toEqual([...states].toSorted());
  });
});
