import { expect, it } from "vitest";
import { merchantRoles } from "./merchant-role.ts";
import { mayGet, personMessageKinds } from "./message.ts";

it("a member gets no message of what the role may not read, whatever was chosen in another role", () => {
  const refused = (role: (typeof merchantRoles)[number]) =>
    personMessageKinds.filter((kind) => !mayGet(role, kind));
  expect(refused("cashier")).toEqual(personMessageKinds);
  expect(refused("accountant")).toEqual(["endpoint_failing", "endpoint_disabled"]);
  expect(refused("developer")).toEqual(["refund_requested", "refund_ready", "refund_completed"]);
  for (const role of ["viewer", "support", "admin", "owner"] as const) expect(refused(role)).toEqual([]);
  for (const role of merchantRoles) expect(mayGet(role, "channel_test")).toBe(true);
});
