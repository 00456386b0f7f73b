import { idOf } from "@daric/domain/ids";
import { expect, it } from "vitest";
import { dueFor } from "./schedule.ts";

const member = {
  merchantId: idOf("merchant", "0193a1b2-0000-7000-8000-000000000001"),
  personId: idOf("person", "0193a1b2-0000-7000-8000-000000000002"),
  chosenAt: new Date("2026-01-01T00:00:00Z"),
  daily: ["mail"],
  monthly: ["mail"],
};
const causes = (at: string, timeZone: string) =>
  dueFor({ ...member, timeZone }, new Date(at)).map(({ cause }) => cause);

it.each([
  ["2026-11-30T07:59:59Z", "UTC", []],
  ["2026-11-30T08:00:00Z", "UTC", ["daily_summary 2026-11-29"]],
  ["2026-11-30T23:59:00Z", "UTC", ["daily_summary 2026-11-29"]],
  ["2026-12-01T08:00:00Z", "UTC", ["daily_summary 2026-11-30", "monthly_statement 2026-11"]],
  ["2026-12-03T08:00:00Z", "UTC", ["daily_summary 2026-12-02", "monthly_statement 2026-11"]],
  ["2026-12-04T08:00:00Z", "UTC", ["daily_summary 2026-12-03"]],
  ["2026-12-31T20:30:00Z", "Asia/Kathmandu", []],
  ["2027-01-01T02:15:00Z", "Asia/Kathmandu", ["daily_summary 2026-12-31", "monthly_statement 2026-12"]],
  ["2026-11-30T08:00:00Z", "Mars/Olympus", ["daily_summary 2026-11-29"]],
  ["2026-03-29T06:00:00Z", "Europe/Berlin", ["daily_summary 2026-03-28"]],
])("at %s a member in %s gets what is due this morning", (at, timeZone, due) => {
  expect(causes(at, timeZone)).toEqual(due);
});

it("the first summary is of the day of the choice", () => {
  const chosenAt = new Date("2026-11-29T23:30:00Z");
  const due = (at: string, timeZone: string) =>
    dueFor({ ...member, timeZone, chosenAt }, new Date(at)).map(({ cause }) => cause);
  expect(due("2026-11-30T08:00:00Z", "UTC")).toEqual(["daily_summary 2026-11-29"]);
  expect(due("2026-11-30T08:00:00Z", "Europe/Berlin")).toEqual([]);
});
