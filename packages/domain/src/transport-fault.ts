/** The other end of a connection, for the words of an advice. */
export type Peer = {
  /** such as PostgreSQL */
  readonly name: string;
  /** the variable that has its URL */
  readonly setting: string;
  /** the way to name an authority of certificates that this machine does not know */
  readonly trust: string;
};

const EXTRA_CERTS = "name the file of its CA in NODE_EXTRA_CA_CERTS";

export const aNode: Peer = { name: "the node", setting: "its URL", trust: EXTRA_CERTS };
export const theMailServer: Peer = { name: "the mail server", setting: "SMTP_URL", trust: EXTRA_CERTS };
export const aReceiver: Peer = { name: "the receiver", setting: "its URL", trust: EXTRA_CERTS };

/** PostgreSQL by the URL of this variable. */
export function databaseAt(setting = "its URL"): Peer {
  return { name: "PostgreSQL", setting, trust: "add `sslrootcert=<file of your provider's CA>` to the URL" };
}

type Row = {
  /** matches the code of the fault, or its words where a library drops the code */
  readonly of: RegExp;
  advice(peer: Peer): string;
  /** no wait mends it */
  readonly isLasting?: true;
};

const rows: readonly Row[] = [
  {
    of: /UNABLE_TO_|SELF_SIGNED|unable to (?:verify|get) |self[- ]signed certificate/,
    advice: ({ trust }) => `this machine does not know the authority of its certificate: ${trust}`,
    isLasting: true,
  },
  {
    of: /CERT_HAS_EXPIRED|certificate has expired|CERT_NOT_YET_VALID|certificate is not yet valid/,
    advice: () =>
      "its certificate is not valid at this time: renew it there, or correct the clock of this machine",
    isLasting: true,
  },
  {
    of: /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/,
    advice: ({ setting }) => `its certificate is for another name: use that name in ${setting}`,
    isLasting: true,
  },
  {
    of: /does not support SSL connections/,
    advice: () =>
      "switch its TLS on; if the network between them is yours alone, say so by `sslmode=disable` in the URL",
    isLasting: true,
  },
  {
    of: /no pg_hba\.conf entry .*no encryption/,
    advice: () => "it wants TLS: add `sslmode=verify-full` to the URL",
    isLasting: true,
  },
  {
    of: /(?:ENOENT|EACCES|EISDIR).*, (?:open|read)\b/,
    advice: () => "a file that the URL names, such as `sslrootcert`, cannot be read",
    isLasting: true,
  },
  {
    of: /ERR_SSL_WRONG_VERSION_NUMBER|wrong version number|packet length too long/i,
    advice: ({ setting }) => `it does not speak TLS at this port: correct ${setting}`,
    isLasting: true,
  },
  {
    of: /ENOTFOUND|EAI_AGAIN/,
    advice: ({ setting }) => `DNS does not know this name: is ${setting} right?`,
  },
  {
    of: /ECONNREFUSED/,
    advice: ({ name, setting }) => `is ${name} running, and ${setting} right?`,
  },
  {
    of: /ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|timeout exceeded when trying to connect/,
    advice: ({ setting }) => `does a firewall drop the connection, and is ${setting} right?`,
  },
];

const MAX_CAUSES = 5;

function textOf(error: unknown): string {
  const parts: unknown[] = [];
  for (let at = error; at instanceof Error && parts.length < 2 * MAX_CAUSES; at = at.cause)
    parts.push((at as { code?: unknown }).code, at.message);
  return parts.join(" ");
}

function rowOf(error: unknown): Row | undefined {
  // Each webhook attempt asks, and most have no fault.
  if (error === undefined) return undefined;
  const text = textOf(error);
  return rows.find(({ of }) => of.test(text));
}

/** A sentence of advice about a failed connection, without a full stop; undefined if its cause is none of those known. */
export function adviceOnFault(error: unknown, peer: Peer): string | undefined {
  return rowOf(error)?.advice(peer);
}

/** Whether a failed connection fails again until a person changes a certificate, a setting or a file. */
export function isLastingFault(error: unknown): boolean {
  return rowOf(error)?.isLasting === true;
}

/** The words with the advice behind them, if there is one. */
export function withAdvice(words: string, error: unknown, peer: Peer): string {
  const advice = adviceOnFault(error, peer);
  return advice === undefined ? words : `${words}: ${advice}`;
}
