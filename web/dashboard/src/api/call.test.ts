import { afterEach, expect, it, vi } from "vitest";
import { call, pageContext } from "./call.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  Object.assign(pageContext, { csrfToken: undefined, personId: undefined });
});

/** A service whose session is that of `person`, and that takes the token `new` alone. Returns the tokens that were sent. */
function serviceOf(person: string): (string | undefined)[] {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal("fetch", async (url: string, { method, headers }: RequestInit) => {
    if (url.endsWith("/session"))
      return Response.json({ data: { csrf_token: "new", person: { id: person } } });
    const token = (headers as Record<string, string>)["x-csrf-token"];
    sent.push(method === "POST" ? token : undefined);
    if (token === "new") return Response.json({ data: {} });
    return Response.json({ error: { code: "CSRF_REFUSED" } }, { status: 403 });
  });
  return sent;
}

it("a call whose token is of an earlier session is sent once more, with the new token", async () => {
  Object.assign(pageContext, { csrfToken: "old", personId: "ada" });
  const sent = serviceOf("ada");
  await call("POST /dashboard/v1/sign-out", {});
  expect(sent).toEqual(["old", "new"]);
});

it("a call is never sent again for another person that has signed in meanwhile", async () => {
  Object.assign(pageContext, { csrfToken: "old", personId: "ada" });
  const sent = serviceOf("bob");
  await expect(call("POST /dashboard/v1/sign-out", {})).rejects.toMatchObject({ code: "CSRF_REFUSED" });
  await expect(call("POST /dashboard/v1/sign-out", {})).rejects.toMatchObject({ code: "CSRF_REFUSED" });
  expect(sent).toEqual(["old", "old"]);
});
