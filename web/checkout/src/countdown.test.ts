import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ageMs, createClock } from "./clock.ts";
import { formatRemaining, runCountdowns } from "./countdown.ts";

const texts = { daysAndHours: "{days} d {hours} h", fiveMinutesLeft: "five", oneMinuteLeft: "one" };

describe("formatRemaining", () => {
  it("shows the time left in the payer's format", () => {
    const table: [number, string][] = [
      [6 * 86_400 + 3 * 3_600 + 59, "6 d 3 h"],
      [86_400, "1 d 0 h"],
      [86_399, "23:59:59"],
      [3_729, "1:02:09"],
      [3_599.9, "59:59"],
      [545, "9:05"],
      [60, "1:00"],
      [9.99, "0:09"],
      [0, "0:00"],
      [-3, "0:00"],
    ];
    for (const [seconds, text] of table)
      expect([seconds, formatRemaining(seconds, texts)]).toEqual([seconds, text]);
  });

  it("counts hours beyond a day on a page without texts for days", () => {
    expect(formatRemaining(2 * 86_400 + 5, {})).toBe("48:00:05");
  });
});

describe("runCountdowns", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** A page at the server's time `now` with one deadline, both in seconds. */
  function aPage({ now, until, from }: { now: number; until: number; from?: number }) {
    const classes = new Set<string>();
    const element = {
      dataset: { until: String(until * 1000), from: from && String(from * 1000) },
      textContent: "until 12:19 UTC",
      classList: {
        add: (name: string) => classes.add(name),
        toggle: (name: string, isOn: boolean) => (isOn ? classes.add(name) : classes.delete(name)),
      },
      closest: () => null,
    };
    const announced: string[] = [];
    const announcement = {
      set textContent(text: string) {
        announced.push(text);
      },
    };
    const root = {
      querySelectorAll: () => [element],
      ownerDocument: { getElementById: () => announcement },
    };
    return {
      element,
      classes,
      announced,
      run() {
        const clock = createClock();
        clock.set(now * 1000, performance.now());
        const tick = runCountdowns(root as unknown as HTMLElement, texts, clock);
        return { clock, tick };
      },
    };
  }

  it("counts from the server's time, whatever the time on the device", () => {
    const { element, run } = aPage({ now: 10_000, until: 13_600 });
    run();
    expect(element.textContent).toBe("1:00:00");
    vi.advanceTimersByTime(61_000);
    expect(element.textContent).toBe("58:59");
  });

  it("each new page sets the clock forward, never back", () => {
    const { element, run } = aPage({ now: 0, until: 600 });
    const { clock, tick } = run();
    clock.set(300_000, performance.now());
    tick();
    expect(element.textContent).toBe("5:00");
    vi.advanceTimersByTime(15_000);
    clock.set(312_000, performance.now());
    tick();
    expect(element.textContent).toBe("4:45");
  });

  it("counts the time that a page was on its way or in a cache", () => {
    const { element, run } = aPage({ now: 0, until: 600 });
    const { clock, tick } = run();
    clock.set(60_000 + ageMs(8_000, "236"), performance.now());
    tick();
    expect(element.textContent).toBe("5:00");
  });

  it("is visible from the last quarter on, and announced at five minutes and at one", () => {
    const { classes, announced, run } = aPage({ now: 1_000, from: 1_000, until: 2_600 });
    run();
    vi.advanceTimersByTime(1_199_000);
    expect([classes.has("last"), announced]).toEqual([false, []]);
    vi.advanceTimersByTime(2_000);
    expect([classes.has("last"), announced]).toEqual([true, []]);
    vi.advanceTimersByTime(398_000);
    expect(announced).toEqual(["five", "one"]);
  });

  it("stays at 0:00 when the time is over", () => {
    const { element, run } = aPage({ now: 700, until: 600 });
    run();
    vi.advanceTimersByTime(5_000);
    expect(element.textContent).toBe("0:00");
  });
});
