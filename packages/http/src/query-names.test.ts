import { openSampleApp, ROW_ID } from "@daric/testing/sample-app";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createQueryReader } from "./query-names.ts";

describe("the query of a read", () => {
  const read = createQueryReader(z.object({ orderRef: z.string().optional(), limit: z.string() }));

  it.each([
    [{ orderRef: "a", limit: "1" }, { orderRef: "a", limit: "1" }, []],
    [{ order_ref: "a" }, { orderRef: "a" }, []],
    [{}, {}, []],
    [{ order_reff: "a" }, {}, [["order_reff", "is not a parameter: did you mean orderRef?"]]],
    [{ utm: "a" }, {}, [["utm", "is not a parameter: there are orderRef, limit"]]],
    [{ "": "a" }, {}, [["(query)", "is not a parameter: there are orderRef, limit"]]],
    [{ toString: "a" }, {}, [["toString", "is not a parameter: there are orderRef, limit"]]],
    [
      { order_ref: "a", orderRef: "b" },
      { orderRef: "a" },
      [["orderRef", "must be given once: order_ref is the same"]],
    ],
  ])("of %j is read as %j with the faults %j", (query, known, faults) => {
    const answer = read(query);
    expect(answer.known).toEqual(known);
    expect(answer.faults.map(({ path, message }) => [path, message])).toEqual(faults);
  });

  it("reports the fault of a value under the name that was sent", () => {
    expect(read({ order_ref: "a" }).asSent({ path: "orderRef", message: "is long" })).toEqual({
      path: "order_ref",
      message: "is long",
    });
  });

  it("reports at most ten unknown names", () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`zzz${n}`, ""]));
    expect(read(many).faults).toHaveLength(10);
  });
});

describe("behind a key", () => {
  const { app } = openSampleApp();
  afterAll(() => app.close());
  const details = async (url: string, method: "GET" | "HEAD" = "GET") => {
    const response = await app.inject({ method, url, headers: { "x-api-key": "good" } });
    const paths = () => response.json().error?.details?.map(({ path }: { path: string }) => path);
    return [response.statusCode, method === "HEAD" ? undefined : paths()];
  };

  it("an unknown name of a query is refused, after the 404 of the path's id", async () => {
    expect(await details("/v1/things?limi=1&limit=0")).toEqual([422, ["limi", "limit"]]);
    expect(await details(`/v1/things/${ROW_ID}?limit=1`)).toEqual([422, ["limit"]]);
    expect((await details("/v1/things/nothing?limit=1"))[0]).toBe(404);
  });
});

describe("without a key", () => {
  const { app } = openSampleApp();
  afterAll(() => app.close());

  it("an unknown name of a query is ignored: shared links may have names of their own", async () => {
    expect((await app.inject("/v1/public/ip?utm_source=mail&lang=tr")).statusCode).toBe(200);
  });
});
