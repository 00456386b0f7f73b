import { Resolver } from "node:dns/promises";

/** The look-ups of DNS for mails. */
export type MailDns = {
  resolveTxt(name: string): Promise<string[][]>;
  resolveMx(name: string): Promise<{ readonly exchange: string }[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
};

/** `unknown`: DNS does not answer, or it cannot tell. */
export type MailRecord = {
  readonly what: string;
  readonly result: "ok" | "missing" | "unknown";
  readonly reason: string | null;
};

const LOOKUP = { timeout: 2_000, tries: 2 };

export function systemDns(): MailDns {
  return new Resolver(LOOKUP);
}

/** The records of DNS by which receivers judge mails of a domain, with what to set where one is missing. */
export function checkMailRecords(
  { domain, greetedAs }: { readonly domain: string; readonly greetedAs: string },
  dns: MailDns,
): Promise<MailRecord[]> {
  const checks: Promise<MailRecord>[] = [
    described(`SPF of ${domain}`, spfFault(domain, dns)),
    described(`DMARC of ${domain}`, dmarcFault(domain, dns)),
    described(`MX or A of ${domain}`, hostFault(domain, dns)),
    described(`A of ${greetedAs}, the name of EHLO`, addressFault(greetedAs, dns)),
    Promise.resolve({
      what: `DKIM of ${domain}`,
      result: "unknown",
      reason: 'DNS lists no selectors: a received mail has "dkim=pass" in its header Authentication-Results',
    }),
  ];
  return Promise.all(checks);
}

async function described(what: string, fault: Promise<string | undefined>): Promise<MailRecord> {
  try {
    const reason = await fault;
    return { what, result: reason === undefined ? "ok" : "missing", reason: reason ?? null };
  } catch (error) {
    return { what, result: "unknown", reason: `DNS does not answer (${codeOf(error)})` };
  }
}

async function spfFault(domain: string, dns: MailDns): Promise<string | undefined> {
  const records = (await textsAt(domain, dns)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (records.length === 1) return undefined;
  if (records.length > 1) return `${records.length} records begin with v=spf1, so none counts: join them`;
  return `add a TXT record at ${domain} that names the mail server, like "v=spf1 include:<its provider> ~all"`;
}

/** The record of a domain above counts too. */
async function dmarcFault(domain: string, dns: MailDns): Promise<string | undefined> {
  const labels = domain.split(".");
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  for (const each of domains)
    if ((await textsAt(`_dmarc.${each}`, dns)).some((text) => /^v=dmarc1\s*(?:;|$)/i.test(text)))
      return undefined;
  return `add a TXT record at _dmarc.${domain}, like "v=DMARC1; p=none; rua=mailto:<your address>"`;
}

async function hostFault(domain: string, dns: MailDns): Promise<string | undefined> {
  const exchanges = await ifThere(dns.resolveMx(domain));
  // An MX record without a name says that the domain takes no mail.
  if (exchanges.some(({ exchange }) => exchange !== "" && exchange !== ".")) return undefined;
  if (exchanges.length === 0 && (await addressFault(domain, dns)) === undefined) return undefined;
  return `add an MX record at ${domain}: strict servers refuse a sender to whom nothing can be returned`;
}

async function addressFault(name: string, dns: MailDns): Promise<string | undefined> {
  const found = await Promise.all([ifThere(dns.resolve4(name)), ifThere(dns.resolve6(name))]);
  if (found.flat().length > 0) return undefined;
  return `add an A record at ${name}, or set MAIL_GREETING_NAME to a name that has one`;
}

async function textsAt(name: string, dns: MailDns): Promise<string[]> {
  return (await ifThere(dns.resolveTxt(name))).map((parts) => parts.join(""));
}

/** The records; none if DNS says that there are none. */
async function ifThere<T>(found: Promise<T[]>): Promise<T[]> {
  try {
    return await found;
  } catch (error) {
    if (["ENODATA", "ENOTFOUND"].includes(codeOf(error))) return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
