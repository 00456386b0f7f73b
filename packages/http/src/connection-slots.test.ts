import { expect, it } from "vitest";
import { createConnectionSlots } from "./connection-slots.ts";

type Fake = { readonly name: string; bytesRead: number; isWhole: boolean };

/** Connections by name; the first word of a name is the address. */
function slots(max: number, perAddress: number, proxies: readonly string[] = []) {
  let nowMs = 0;
  const of = createConnectionSlots<Fake>({
    nowMs: () => nowMs,
    max,
    perAddress,
    isProxy: (address) => proxies.includes(address),
    keyOf: (address) => address,
    isWhole: (connection) => connection.isWhole,
  });
  const known = new Map<string, Fake>();
  const get = (name: string) => known.get(name) ?? expect.fail(name);
  return {
    names: () => of.all().map(({ name }) => name),
    enter(name: string): string | undefined {
      const made = { name, bytesRead: 0, isWhole: false };
      known.set(name, made);
      return of.enter(made, name.split(" ")[0] ?? "")?.name;
    },
    begin(name: string): void {
      get(name).bytesRead = 1;
    },
    pass(ms: number): void {
      nowMs += ms;
    },
    step(name: string): void {
      get(name).bytesRead += 9;
      of.keep(get(name));
    },
    /** reports headers of a request whose body is to come */
    announce(name: string): void {
      get(name).bytesRead += 9;
      of.begin(get(name));
    },
    complete(name: string): void {
      get(name).isWhole = true;
    },
    stall: (name: string) => of.reportUnread(get(name), true),
    flow: (name: string) => of.reportUnread(get(name), false),
    answer: (name: string) => of.rest(get(name)),
    leave: (name: string) => of.leave(get(name)),
  };
}

it("at the limit the silent are closed first, then half requests, then the longest idle of the address with most", () => {
  const { enter, begin, step, answer, pass } = slots(8, 8);
  for (const name of ["a idle", "b idle 1", "b idle 2", "b idle 3"]) {
    enter(name);
    step(name);
    answer(name);
  }
  step("b idle 1");
  answer("b idle 1");
  for (const name of ["a begun", "b busy", "c silent 1", "d silent 2"]) enter(name);
  begin("a begun");
  step("b busy");
  pass(1_000);
  expect(["e 1", "e 2", "e 3", "e 4", "e 5"].map(enterBusy)).toEqual([
    "c silent 1",
    "d silent 2",
    "a begun",
    "b idle 2",
    "b idle 3",
  ]);
  expect(["e 6", "e 7"].map(enterBusy).toSorted()).toEqual(["a idle", "b idle 1"]);
  expect(enterBusy("e 8")).toBe("e 8");

  function enterBusy(name: string): string | undefined {
    const left = enter(name);
    if (left !== name) step(name);
    return left;
  }
});

it("an address at its limit closes one of its own or accepts no more, and closes none of others", () => {
  const { enter, step, answer, leave, names } = slots(100, 2);
  expect(["a 1", "a 2", "b 1"].map(enter)).toEqual([undefined, undefined, undefined]);
  step("a 1");
  expect(enter("a 3")).toBe("a 2");
  step("a 3");
  expect(enter("a 4")).toBe("a 4");
  answer("a 1");
  expect(enter("a 4")).toBe("a 1");
  leave("a 3");
  expect(enter("a 5")).toBe(undefined);
  expect(names()).toEqual(["b 1", "a 4", "a 5"]);
});

it("a proxy may have all slots, and its connections are closed after all others", () => {
  const { enter, step, answer } = slots(4, 1, ["p", "q"]);
  for (const name of ["p 1", "p 2", "q 1", "a 1"]) {
    expect(enter(name)).toBe(undefined);
    step(name);
    answer(name);
  }
  expect(enter("p 3")).toBe("a 1");
  expect(enter("b 1")).toBe("p 1");
  expect(enter("c 1")).toBe("b 1");
});

it("a new connection is spared while others can be closed, then the address with most loses one", () => {
  const { enter, begin, step, answer, pass } = slots(4, 4);
  for (const name of ["a idle", "b new 1", "b new 2", "c new"]) enter(name);
  step("a idle");
  answer("a idle");
  begin("c new");
  pass(999);
  expect(enter("d new")).toBe("a idle");
  expect(enter("e new")).toBe("b new 1");
  pass(1);
  expect(enter("f new")).toBe("b new 2");
  expect(enter("g new")).toBe("c new");
});

it("among new connections the address with most loses one, though all of its own have begun a request", () => {
  const { enter, begin } = slots(3, 3);
  for (const name of ["a 1", "a 2", "b 1"]) enter(name);
  for (const name of ["a 1", "a 2"]) begin(name);
  expect(enter("c 1")).toBe("a 1");
});

it("an incomplete body ranks as half a request, a complete one does not", () => {
  const { enter, step, announce, complete, answer, pass } = slots(4, 4);
  for (const name of ["a idle", "b posts", "c posts", "d busy"]) enter(name);
  step("a idle");
  answer("a idle");
  for (const name of ["b posts", "c posts"]) announce(name);
  step("d busy");
  pass(1_000);
  complete("b posts");
  expect(enter("e 1")).toBe("c posts");
  step("e 1");
  expect(enter("e 2")).toBe("a idle");
  step("e 2");
  expect(enter("e 3")).toBe("e 3");
});

it("a connection that does not read its answer is closed for other addresses, after the idle ones", () => {
  const { enter, step, answer, stall, flow } = slots(4, 2);
  for (const name of ["a 1", "a 2", "b 1", "b idle"]) {
    enter(name);
    step(name);
  }
  answer("b idle");
  for (const name of ["a 1", "a 2", "b 1"]) stall(name);
  flow("b 1");
  expect(enter("a 3")).toBe("a 3");
  expect(enter("c 1")).toBe("b idle");
  step("c 1");
  expect(enter("d 1")).toBe("a 1");
});
