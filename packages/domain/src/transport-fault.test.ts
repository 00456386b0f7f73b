import { describe, expect, it } from "vitest";
import { adviceOnFault, aNode, databaseAt, isLastingFault, theMailServer } from "./transport-fault.ts";

const coded = (code: string, message = "") => Object.assign(new Error(message), { code });
const database = databaseAt("DATABASE_URL");

/** [fault, part of the advice, whether no wait mends it] */
const faults: [Error, string, boolean][] = [
  [coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "sslrootcert=<file of your provider's CA>", true],
  [coded("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), "sslrootcert=", true],
  [coded("SELF_SIGNED_CERT_IN_CHAIN"), "sslrootcert=", true],
  [coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "sslrootcert=", true],
  [coded("CERT_HAS_EXPIRED"), "renew it there", true],
  [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "use that name in DATABASE_URL", true],
  [new Error("The server does not support SSL connections"), "sslmode=disable", true],
  [
    coded("28000", 'no pg_hba.conf entry for host "10.0.0.1", user "d", database "d", no encryption'),
    "sslmode=verify-full",
    true,
  ],
  [coded("ENOENT", "ENOENT: no such file or directory, open '/ca.pem'"), "cannot be read", true],
  [coded("EPROTO", "error:0A00010B:SSL routines::wrong version number"), "does not speak TLS", true],
  [coded("ENOTFOUND", "getaddrinfo ENOTFOUND db"), "DNS does not know", false],
  [coded("ECONNREFUSED"), "is PostgreSQL running, and DATABASE_URL right?", false],
  [coded("ETIMEDOUT"), "firewall", false],
];

describe("a failed connection", () => {
  it.each(faults)(
    "%s has one sentence of advice, also inside of other errors",
    (fault, advice, isLasting) => {
      for (const error of [fault, new Error("away", { cause: new Error("lost", { cause: fault }) })]) {
        expect(adviceOnFault(error, database)).toContain(advice);
        expect(isLastingFault(error)).toBe(isLasting);
      }
    },
  );

  it("to anything but the database names an authority by NODE_EXTRA_CA_CERTS", () => {
    expect(adviceOnFault(coded("SELF_SIGNED_CERT_IN_CHAIN"), aNode)).toMatch(/in NODE_EXTRA_CA_CERTS$/);
  });

  it("is known by its words if a library drops the code, as that for mail does", () => {
    const fault = coded("ESOCKET", "unable to verify the first certificate");
    expect(adviceOnFault(fault, theMailServer)).toMatch(/in NODE_EXTRA_CA_CERTS$/);
  });

  it("for another reason has none: a socket that is not there yet, a refused password, no error at all", () => {
    for (const error of [
      coded("ENOENT", "connect ENOENT /run/postgresql/.s.PGSQL.5432"),
      coded("28P01", 'password authentication failed for user "daric"'),
      undefined,
    ])
      expect([adviceOnFault(error, database), isLastingFault(error)]).toEqual([undefined, false]);
  });
});
