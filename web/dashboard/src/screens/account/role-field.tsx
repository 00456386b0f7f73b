import type { Role } from "../../api/sign-in-operations.ts";
import { useMay } from "../../session/session-store.ts";
import { SelectField } from "../../ui/field.tsx";
import { words } from "../../words/words.ts";

/** Chooses a role, and says what it may do. Only owners are offered to make owners. */
export function RoleField({
  value,
  onChange,
}: {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}) {
  const mayOwners = useMay("owners:write");
  const { owner, ...others } = words.common.roles;
  return (
    <SelectField
      label={words.account.people.role}
      hint={words.common.roleHints[value]}
      name="role"
      options={mayOwners ? { owner, ...others } : others}
      value={value}
      onChange={(event) => onChange(event.target.value as Role)}
    />
  );
}
