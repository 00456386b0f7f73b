import { describe, expect, it } from "vitest";
import { adviceOnRefusal, faultOfRefusal, type MailFault } from "./mail-refusal.ts";

const names = { domain: "shop.example", greetedAs: "pay.shop.example", setting: "SMTP_URL" };

/** [command, reply, range, part of the advice], as servers word them */
const refusals: [command: string, reply: string, of: MailFault, advice: RegExp | undefined][] = [
  // the receiver
  ["RCPT TO", "550 5.1.1 <[address]>: Recipient address rejected: User unknown", "receiver", /no mailbox/],
  ["RCPT TO", "550 No such user here", "receiver", /no mailbox/],
  ["RCPT TO", "550 Requested action not taken", "receiver", undefined],
  ["RCPT TO", "551 user not local; please try another path", "receiver", undefined],
  ["RCPT TO", "553 5.1.3 Bad recipient address syntax", "receiver", /no mailbox/],
  ["RCPT TO", "556 5.1.10 Domain does not accept mail (nullMX)", "receiver", /no mailbox/],
  ["RCPT TO", "550 5.4.1 Recipient address rejected: Access denied", "receiver", undefined],
  ["RCPT TO", "552 5.2.2 Mailbox full", "message", /mailbox of the receiver is full/],
  ["RCPT TO", "550 5.2.2 Quota exceeded (mailbox for user is full)", "message", /is full/],
  // rules against the sender, whichever command they answer
  ["RCPT TO", "550 5.7.1 Message rejected by policy", "message", /SPF, DKIM, DMARC of shop\.example/],
  ["RCPT TO", "550 SPF check failed: 192.0.2.1 is not allowed", "message", /"v=spf1 include:/],
  ["RCPT TO", "550 DKIM signature missing", "message", /<selector>\._domainkey\.shop\.example/],
  ["RCPT TO", "554 5.7.1 <[address]>: Relay access denied", "message", /user and password into SMTP_URL/],
  ["RCPT TO", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", "message", /password/],
  ["RCPT TO", "550 5.7.1 Client host blocked using zen.spamhaus.org", "message", /list of blocked ones/],
  ["RCPT TO", "550 your host is blacklisted", "message", /list of blocked ones/],
  ["RCPT TO", "450 4.7.1 Client host rejected: cannot find your reverse hostname", "message", /PTR record/],
  [
    "RCPT TO",
    "504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname",
    "message",
    /GREETING_NAME/,
  ],
  ["RCPT TO", "550 5.1.8 Sender address rejected: Domain not found", "message", /has shop\.example an MX/],
  ["RCPT TO", "530 5.7.0 Authentication required", "server", /wants a login/],
  [
    "DATA",
    "550 5.7.26 Your email has been blocked because the sender is unauthenticated",
    "server",
    /SPF at/,
  ],
  ["DATA", "550 5.7.1 Unauthenticated email is not accepted due to DMARC policy", "server", /TXT record/],
  ["DATA", "554 5.7.5 Rejected by the DMARC policy of the domain", "server", /_dmarc\.shop\.example/],
  ["DATA", "421 4.7.28 Unusual rate of mail", "server", /MAIL_PER_MINUTE/],
  // this mail, or only for now
  ["RCPT TO", "450 4.2.0 <[address]>: Greylisted for 300 seconds", "message", /passes/],
  ["RCPT TO", "451 4.7.1 Please try again later", "message", undefined],
  ["RCPT TO", "452 4.2.2 Over quota", "message", /is full/],
  ["DATA", "451 4.3.0 Temporary failure", "message", undefined],
  ["DATA", "550 5.7.1 Message looks like unsolicited mail and was blocked", "message", /for spam/],
  ["DATA", "554 5.7.1 Message refused", "message", /a rule there/],
  ["DATA", "552 5.3.4 Message too big", "message", /larger/],
  ["MAIL FROM", "552 5.3.4 Message size exceeds fixed limit", "message", /larger/],
  // the server
  ["MAIL FROM", "550 5.7.1 Refused by policy", "server", /daric notify test/],
  ["MAIL FROM", "553 5.7.1 Sender address rejected: not owned by user", "server", /MAIL_FROM/],
  ["AUTH PLAIN", "535 5.7.8 Error: authentication failed", "server", /correct user and password in SMTP_URL/],
  ["AUTH PLAIN", "534 5.7.9 Application-specific password required", "server", /password for applications/],
  ["MAIL FROM", "530 5.7.0 Must issue a STARTTLS command first", "server", /\?tls=none/],
  ["EHLO", "421 4.7.0 Try again later, closing connection. (EHLO)", "server", /pay\.shop\.example as a name/],
  ["CONN", "421 Service not available", "server", /has pay\.shop\.example an A record/],
  ["CONN", "554 No SMTP service here", "server", undefined],
  ["RCPT TO", "421 4.3.2 Closing", "server", /busy/],
];

describe("a refusal of a mail server", () => {
  it.each(refusals)("%s: %s is a failure of the %s, with its advice", (command, reply, of, advice) => {
    expect(faultOfRefusal({ command, reply })).toBe(of);
    const words = adviceOnRefusal(reply, names);
    expect(words).toEqual(advice && expect.stringMatching(advice));
    expect(words ?? "").not.toMatch(/[.]$/);
  });

  it("without a known cause has no advice", () => {
    expect(adviceOnRefusal("451 4.3.0 Temporary failure", names)).toBeUndefined();
  });
});
