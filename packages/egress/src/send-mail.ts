import { theMailServer, withAdvice } from "@daric/domain/transport-fault";

/** The mail server of the operator, and the sender. */
export type MailSettings = {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  /** its host greets the mail server */
  readonly publicBaseUrl: string | undefined;
};

export type Mail = { readonly to: readonly string[]; readonly subject: string; readonly text: string };

const CONNECT_MS = 5_000;
/** The wait for each answer of the server. */
const ANSWER_MS = 10_000;

/**
 * Sends a mail through the server of `SMTP_URL`, on a connection of its own. Certificates are verified. The operator
 * named the server, so it may be a private one.
 *
 * @throws Error if the server does not accept it for every receiver.
 */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = settings;
  const name = greetingName(settings);
  // Loaded here, because most processes send no mail.
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  const transport = createTransport({
    name,
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // A server without TLS is in the operator's own network; `?tls=none` allows it.
    requireTLS: !secure && searchParams.get("tls") !== "none",
    ignoreTLS: searchParams.get("tls") === "none",
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from: mailFrom,
      to: [...mail.to],
      subject: mail.subject,
      text: mail.text,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    if (rejected.length > 0) throw new Error(`the mail server refused ${rejected.join(", ")}`);
  } catch (error) {
    const words = withAdvice(error instanceof Error ? error.message : String(error), error, theMailServer);
    throw new Error(`${words} (greeted as ${name})`, { cause: error });
  } finally {
    transport.close();
  }
}

/**
 * The name of this host for EHLO: a name that DNS may know, because strict servers refuse an address. It is the host of
 * the base URL, or else the domain of the sender.
 */
function greetingName({ publicBaseUrl, mailFrom }: MailSettings): string {
  const host = publicBaseUrl === undefined ? "" : new URL(publicBaseUrl).hostname;
  const isName = host.includes(".") && !host.startsWith("[") && !/^[\d.]+$/.test(host);
  return isName ? host : (mailFrom.split("@")[1] ?? "localhost");
}
