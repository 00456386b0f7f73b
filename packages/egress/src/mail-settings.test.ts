import { expect, it } from "vitest";
import { alertServerOf, faultOfMail, isMailAddress, mailServerOf, mailSettings } from "./mail-settings.ts";

const http = { publicBaseUrl: "https://pay.shop.example" };
const [smtpUrl, alertSmtpUrl] = ["smtps://mail.example", "smtp://alerts.example"];
const mailFrom = "till@shop.example";

it("alerts go over ALERT_SMTP_URL, and mails to people never do", () => {
  const mail = { smtpUrl, alertSmtpUrl, mailFrom };
  expect([mailServerOf({ mail, http })?.smtpUrl, alertServerOf({ mail, http })?.smtpUrl]).toEqual([
    smtpUrl,
    alertSmtpUrl,
  ]);
  expect(alertServerOf({ mail, http })?.urlFrom).toBe("ALERT_SMTP_URL");
  expect(alertServerOf({ mail: { smtpUrl, mailFrom }, http })?.smtpUrl).toBe(smtpUrl);
  expect(mailServerOf({ mail: { alertSmtpUrl, mailFrom }, http })).toBeUndefined();
});

it("MAIL_FROM is needed with either server, and a server with MAIL_FROM", () => {
  for (const mail of [
    {},
    { smtpUrl, mailFrom },
    { alertSmtpUrl, mailFrom },
    { smtpUrl, alertSmtpUrl, mailFrom },
  ])
    expect(faultOfMail(mail)).toBeUndefined();
  expect(faultOfMail({ smtpUrl })).toBe("MAIL_FROM is required with SMTP_URL");
  expect(faultOfMail({ alertSmtpUrl })).toBe("MAIL_FROM is required with ALERT_SMTP_URL");
  expect(faultOfMail({ mailFrom })).toBe("SMTP_URL is required with MAIL_FROM");
});

it("the name in EHLO is a full host name", () => {
  const isTaken = (text: string) => mailSettings.greetingName.read.safeParse(text).success;
  for (const name of ["mx.shop.example", "xn--80ak6aa92e.example", "a-b.c"])
    expect(isTaken(name), name).toBe(true);
  for (const name of [
    "localhost",
    "192.0.2.1",
    "[::1]",
    "mx.shop.example.",
    "a b.example",
    "mx\r\n.example",
    "-a.example",
  ])
    expect(isTaken(name), name).toBe(false);
});

it("a mail address is one address without a name, and needs no quotes", () => {
  for (const address of ["ada@shop.example", "ada+1_x'y@b.example", "josé@correo.example"])
    expect(isMailAddress(address), address).toBe(true);
  for (const address of [
    "ada",
    "a@b@c",
    "a@b, c@d",
    '"a b"@c.example',
    "a@b.example\r\nX: 1",
    "a@b\0",
    "=?x?Q?a?=@b?=",
  ])
    expect(isMailAddress(address), address).toBe(false);
});
