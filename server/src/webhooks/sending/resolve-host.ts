import { lookup, Resolver } from "node:dns/promises";

/** Finds every address of a host name, A and AAAA. Answers none where there is none or none in time. */
export type Resolve = (host: string, options: ResolveOptions) => Promise<readonly string[]>;
export type ResolveOptions = {
  /** the operator named this host: it may stand in the machine's own hosts file */
  readonly isNamed: boolean;
  readonly signal: AbortSignal;
};

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * The system's DNS servers, asked directly. getaddrinfo would hold one of the few threads of the pool for as long as
 * a slow name server likes, and with it every other receiver's look-up; so it serves only the operator's own names.
 */
export const resolveHost: Resolve = async (host, { isNamed, signal }) => {
  if (isNamed) return (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};
