/**
 * The range of a failed mail. `server`: other mails fail too, so they wait. `receiver`: this address is refused for good.
 * `message`: this mail failed, and a later try may pass.
 */
export type MailFault = "server" | "receiver" | "message";

/** A refusing reply of a mail server. */
export type MailRefusal = {
  /** the command that it answers, such as `RCPT TO`; `CONN` is the greeting */
  readonly command: string;
  /** code, enhanced code and words, such as `550 5.1.1 no such user`, in one line */
  readonly reply: string;
};

/** The names of the sender, for the words of an advice. */
export type SenderNames = {
  /** the domain of `MAIL_FROM` */
  readonly domain: string;
  /** the name of EHLO */
  readonly greetedAs: string;
  /** the variable that has the server's URL */
  readonly setting: string;
};

type Row = {
  /** matches the reply, in small letters */
  readonly of: RegExp;
  /** `sender`: any mail of this service is refused. `mail`: only this one, or only for now. `rule`: the reply does not tell. */
  readonly about: "sender" | "receiver" | "mail" | "rule";
  advice(names: SenderNames): string;
};

/** The first row that matches counts: words of a cause come before words that many refusals share. */
const rows: readonly Row[] = [
  {
    of: /gr[ea]y-?list/,
    about: "mail",
    advice: () => "it lets a first mail wait on purpose, and the next try passes: nothing is to be done",
  },
  {
    of: /5\.7\.26|unauthenticated|spf.*dkim|dkim.*spf/,
    about: "sender",
    advice: ({ domain }) =>
      `set two TXT records: SPF at ${domain} that names the mail server, and its DKIM key at <selector>._domainkey.${domain}`,
  },
  {
    of: /dmarc/,
    about: "sender",
    advice: ({ domain }) =>
      `the policy in the TXT record _dmarc.${domain} asks for SPF or DKIM of ${domain} itself: set both records`,
  },
  {
    of: /\bspf\b|5\.7\.2[347]/,
    about: "sender",
    advice: ({ domain }) =>
      `name the mail server in the SPF record: a TXT record of ${domain} like "v=spf1 include:<its provider> ~all"`,
  },
  {
    of: /\bdkim\b|5\.7\.2[0-2]/,
    about: "sender",
    advice: ({ domain }) =>
      `let the mail server sign by DKIM, with its key in the TXT record <selector>._domainkey.${domain}`,
  },
  {
    of: /\bptr\b|reverse (?:dns|host ?name|lookup)|\brdns\b|[45]\.7\.25|find your (?:reverse )?host ?name/,
    about: "sender",
    advice: ({ greetedAs }) =>
      `set the PTR record of the sending address to ${greetedAs}, and an A record of that name to the address`,
  },
  {
    of: /\b(?:helo|ehlo)\b/,
    about: "sender",
    advice: ({ greetedAs }) =>
      `it may not take ${greetedAs} as a name in EHLO: set MAIL_GREETING_NAME to a name with an A record that leads to this machine`,
  },
  {
    of: /starttls|encryption (?:is )?required/,
    about: "sender",
    advice: ({ setting }) => `it wants TLS: leave \`?tls=none\` out of ${setting}`,
  },
  {
    of: /5\.7\.9|application-specific password/,
    about: "sender",
    advice: ({ setting }) => `make a password for applications there, and use it in ${setting}`,
  },
  {
    of: /^5\S+ 5\.7\.8|^535|authentication (?:failed|unsuccessful|credentials invalid)|invalid (?:login|credentials)/,
    about: "sender",
    advice: ({ setting }) => `correct user and password in ${setting}`,
  },
  {
    of: /authenticat\w* (?:is )?(?:required|needed)|must (?:be )?authenticat|log ?in first|^530/,
    about: "sender",
    advice: ({ setting }) => `it wants a login: put user and password into ${setting}`,
  },
  {
    of: /relay|rcpthosts/,
    about: "sender",
    advice: ({ setting }) =>
      `it forwards nothing for this machine: put user and password into ${setting}, or allow this machine there`,
  },
  {
    of: /unsolicited|\bspam\b|\bvirus|content (?:re(?:jected|fused)|filter)/,
    about: "mail",
    advice: ({ domain }) =>
      `its filter took the text for spam: SPF, DKIM and DMARC of ${domain} help, and so does its operator`,
  },
  {
    of: /black-?list|block-?list|deny-?list|\brbl\b|dnsbl|spamhaus|spamcop|barracuda|\bblocked\b|reputation/,
    about: "sender",
    advice: () =>
      "the sending address is on a list of blocked ones: ask the list that the reply names, or send through another server",
  },
  {
    of: /too many (?:messages|mails|emails|connections)|rate ?limit|throttl|sending (?:limit|quota|rate)|4\.7\.28|5\.4\.5/,
    about: "sender",
    advice: () => "it wants fewer mails: lower MAIL_PER_MINUTE, or ask for more there",
  },
  {
    of: /[45]\.1\.[78]\b|sender (?:address )?(?:rejected|refused|denied|verify|unknown)|not owned by|send ?as|domain of sender/,
    about: "sender",
    advice: ({ domain }) =>
      `it refuses MAIL_FROM: is that address yours there, and has ${domain} an MX or A record?`,
  },
  {
    of: /[45]\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded/,
    about: "mail",
    advice: () => "the mailbox of the receiver is full",
  },
  {
    of: /^552|5\.3\.4|message (?:size )?(?:exceeds|too (?:large|big))|message size larger/,
    about: "mail",
    advice: () => "the mail is larger than it takes",
  },
  {
    of: /[45]\.1\.(?:[0-6]|10)\b|5\.2\.1\b|(?:no such|unknown|invalid) (?:user|mailbox|recipient|address)|(?:user|recipient|mailbox) (?:is )?(?:unknown|unavailable|disabled|not found)|does not exist/,
    about: "receiver",
    advice: () => "no mailbox has this address there: correct it",
  },
  {
    of: /^5\S+ 5\.7\.\d/,
    about: "rule",
    advice: ({ domain }) =>
      `a rule there refuses this sender: check SPF, DKIM, DMARC of ${domain} by \`daric notify test\`, and ask its operator`,
  },
  {
    of: /^421/,
    about: "sender",
    advice: ({ greetedAs }) =>
      `it is busy, or it refuses this machine: has ${greetedAs} an A record, and the sending address a PTR record?`,
  },
];

function rowOf(reply: string): Row | undefined {
  const text = reply.toLowerCase();
  return rows.find(({ of }) => of.test(text));
}

/** A sentence of advice about a refusal, without a full stop; undefined if its cause is none of those known. */
export function adviceOnRefusal(reply: string, names: SenderNames): string | undefined {
  return rowOf(reply)?.advice(names);
}

/** The replies to `RCPT TO` that refuse an address for good, unless their cause is another one. */
const REFUSED_ADDRESS = /^(?:55[013]\b|5\d\d 5\.1\.)/;

/**
 * The range of a refusal. A rule against the sender is never taken for a wrong address. At `RCPT TO` it may be the rule of one receiver, whose
 * server the relay asks, so it holds up no other mail.
 */
export function faultOfRefusal({ command, reply }: MailRefusal): MailFault {
  const about = rowOf(reply)?.about;
  if (/^(?:421|530)/.test(reply)) return "server";
  if (command === "RCPT TO") {
    if (about === "sender" || about === "rule") return "message";
    return about !== "mail" && REFUSED_ADDRESS.test(reply) ? "receiver" : "message";
  }
  if (command === "DATA") return about === "sender" ? "server" : "message";
  return command === "MAIL FROM" && about === "mail" ? "message" : "server";
}
