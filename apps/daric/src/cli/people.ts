import { type IssuedLink, invite } from "@daric/console/people/members/links";
import { offerResetTo, setDisabled } from "@daric/console/people/members/members";
import { type ListedPerson, listPeople } from "@daric/console/people/members/membership-store";
import { ApiError } from "@daric/domain/errors";
import { idOf, isId } from "@daric/domain/ids";
import { type MerchantRole, merchantRoles } from "@daric/domain/merchant-role";
import type { Command } from "commander";
import { commandActor } from "./audit-command.ts";
import { type OutputOptions, printOne, printTable, type View } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

const PERSON = "e-mail address or id, as `daric people list` shows it";
const SHOWN_ONCE = "Send it by a way that only its person reads: it works once.";
const NEEDED = [
  "merchants.keyPepper",
  "http.publicBaseUrl",
  "people.baseUrl",
  "mail.smtpUrl",
  "mail.mailFrom",
  "mail.greetingName",
] as const;

type By = OutputOptions & { readonly by: string };
type InviteOptions = By & {
  readonly email: string;
  readonly operator?: true;
  readonly merchant?: string;
  readonly role?: string;
};

/** `daric people invite|list|disable|reset`. */
export function addPeopleCommands(program: Command, terminal: Terminal): void {
  const people = program.command("people").description("the people of the dashboard");
  const define = (name: string, description: string): Command =>
    people
      .command(name)
      .description(description)
      .option("--by <name>", "the name of the operator, for the audit log", readPhrase, commandActor)
      .option("--json", "print JSON");
  addInvite(define, terminal);
  people
    .command("list")
    .description("list all people, by e-mail")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const found = await withOwnersDatabase(terminal.variables, [], ({ db }) => listPeople(db));
      const columns = ["id", "email", "name", "isOperator", "hasSecondFactor", "disabledAt", "memberships"];
      printTable(terminal, options, { views: found.map(personView), columns });
    });
  addDisable(define, terminal);
  define("reset", "make a one-time link by which a person sets a new password")
    .argument("<person>", PERSON)
    .option("--second-factor", "remove the authenticator app, passkeys and recovery codes too")
    .action(async (person: string, { by, secondFactor, json }: By & { readonly secondFactor?: true }) => {
      const issued = await withOwnersDatabase(terminal.variables, NEEDED, (context) =>
        offerResetTo(context, { operator: by }, { person, resetsSecondFactor: secondFactor === true }),
      );
      printOne(terminal, { json }, { title: `Reset link made. ${SHOWN_ONCE}`, view: linkView(issued) });
    });
}

type Define = (name: string, description: string) => Command;

function addInvite(define: Define, terminal: Terminal): void {
  define("invite", "make a one-time link by which a person becomes a member or an operator")
    .requiredOption("--email <address>", "the address of the person")
    .option("--operator", "as an operator of the service")
    .option("--merchant <id>", "as a member of this merchant")
    .option("--role <role>", `the role there: ${merchantRoles.join(", ")}`)
    .action(async ({ by, email, json, ...options }: InviteOptions) => {
      const invitation = { email: addressOf(email), ...membershipOf(options) };
      const issued = await withOwnersDatabase(terminal.variables, NEEDED, (context) =>
        invite(context, { operator: by }, invitation),
      );
      printOne(terminal, { json }, { title: `Invitation made. ${SHOWN_ONCE}`, view: linkView(issued) });
    });
}

function addDisable(define: Define, terminal: Terminal): void {
  define("disable", "end all sessions and links of a person, and refuse sign-in")
    .argument("<person>", PERSON)
    .option("--undo", "let a disabled person sign in again")
    .action(async (person: string, { by, undo, json }: By & { readonly undo?: true }) => {
      const isDisabled = undo !== true;
      const changed = await withOwnersDatabase(terminal.variables, [], (context) =>
        setDisabled(context, { operator: by }, { person, isDisabled }),
      );
      const title = isDisabled ? "Person disabled." : "Person enabled.";
      printOne(terminal, { json }, { title, view: personView(changed) });
    });
}

/** @throws VALIDATION_ERROR without either --operator, or both --merchant and --role. */
function membershipOf({ operator, merchant, role }: Pick<InviteOptions, "operator" | "merchant" | "role">) {
  if (operator === true && merchant === undefined && role === undefined) return {};
  const known = merchantRoles.find((name) => name === role);
  if (operator === true || merchant === undefined || known === undefined)
    throw invalid("role", `must be one of ${merchantRoles.join(", ")} with --merchant, or --operator alone`);
  if (!isId(merchant))
    throw invalid("merchant", "must be the id of a merchant, as `daric merchant list` shows it");
  return {
    membership: { merchantId: idOf("merchant", merchant.toLowerCase()), role: known as MerchantRole },
  };
}

function addressOf(email: string): string {
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalid("email", "must be an e-mail address like ada@shop.example");
  return email;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path, message }] });
}

function linkView({ link, url, isMailed }: IssuedLink): View {
  return {
    link: url,
    isMailed,
    email: link.email,
    role: link.kind === "reset" ? null : (link.role ?? "operator"),
    merchantId: link.merchantId,
    expiresAt: link.expiresAt.toISOString(),
  };
}

function personView(person: ListedPerson): View {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    isOperator: person.isOperator,
    hasSecondFactor: person.hasSecondFactor,
    disabledAt: person.disabledAt?.toISOString() ?? null,
    memberships: person.memberships.map(({ merchantId, role }) => `${role} of ${merchantId}`),
  };
}
