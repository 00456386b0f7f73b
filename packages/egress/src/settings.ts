import { list, setting } from "@daric/runtime/setting";
import { faultOfTarget, holdsOwn, rangeOfTarget } from "./allowed-targets.ts";
import { publicPartOf } from "./guard-url.ts";

const targets = list.superRefine((entries, issue) => {
  for (const entry of entries) {
    const fault = faultOfTarget(entry);
    if (fault !== undefined) issue.addIssue({ code: "custom", message: `has "${entry}", which ${fault}` });
  }
});

/** Exceptions for private and public targets. */
export const egressSettings = {
  allowTargets: setting({
    env: "WEBHOOK_ALLOW_TARGETS",
    read: targets.prefault(""),
    warning: (entries) => warningOfTargets(entries),
    default: "none",
    roles: ["api", "webhooks"],
    meaning:
      "Private targets, including every address of this machine, that webhooks may reach: CIDRs and host names, each on any port. Only a range of their own opens link-local addresses (169.254.0.0/16, fe80::/10).",
  }),
  denyTargets: setting({
    env: "WEBHOOK_DENY_TARGETS",
    read: targets.prefault(""),
    default: "none",
    roles: ["api", "webhooks"],
    meaning:
      "Targets that webhooks may not reach, even if public or allowed: CIDRs and host names, each on any port.",
  }),
};

/** Warns about an entry without effect, and about one wider than the network of one owner. */
function warningOfTargets(entries: readonly string[]): string | undefined {
  const whose = (part: "all" | "some") =>
    entries
      .filter((entry) => {
        const range = rangeOfTarget(entry);
        return range !== undefined && publicPartOf(range) === part && (part === "some" || !holdsOwn(range));
      })
      .map((entry) => `"${entry}"`)
      .join(", ");
  const [idle, wide] = [whose("all"), whose("some")];
  const texts = [
    ...(idle === "" ? [] : [`has ${idle}, which is public: nothing closes it`]),
    ...(wide === ""
      ? []
      : [`has ${wide}, which opens every private network in it: name only the networks that webhooks need`]),
  ];
  return texts.length === 0 ? undefined : texts.join("; ");
}
