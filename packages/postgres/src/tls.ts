import pg from "pg";

const LOCAL = /^(?:\/.*|localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * The URL as the driver gets it. Without `uselibpqcompat=true`, `prefer`, `require` and `verify-ca` are `verify-full`: the
 * driver treats them alike and prints a warning. `sslrootcert=system` means the authorities that Node.js knows.
 */
export function driversUrl(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url
    .replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full")
    .replace(/([?&])sslrootcert=system(?=&|$)/, "$1sslmode=verify-full");
}

const VERIFY =
  "add `sslmode=verify-full` to its URL, and `sslrootcert=<file of your provider's CA>` if that CA is its own";

/** The doubt about a connection to another host that others could read or answer; `sslmode=disable` says that none can. */
export function securityOf(url: string): { readonly words: string; readonly mend: string } | undefined {
  const { host, ssl } = new pg.Client({ connectionString: driversUrl(url) }) as {
    readonly host: string;
    readonly ssl: boolean | { readonly rejectUnauthorized?: boolean };
  };
  if (LOCAL.test(host)) return undefined;
  if (!ssl)
    return /[?&]sslmode=disable(?:&|$)/.test(url)
      ? undefined
      : {
          words: "the connection to another host is not encrypted",
          mend: `${VERIFY}; if the network between them is yours alone, say so by \`sslmode=disable\``,
        };
  if (ssl === true || ssl.rejectUnauthorized !== false) return undefined;
  return { words: "the certificate of the server is not verified, so any server is believed", mend: VERIFY };
}
