/** The roles of a process; `standalone` is all of them. */
export const roles = ['api', 'executor', 'worker', 'scheduler'] as const;
export type Role = (typeof roles)[number];

/** Accepted names; users of other products know `webserver` and `local`. */
export const roleNames = [...roles, 'webserver', 'standalone', 'local'] as const;
export type RoleName = (typeof roleNames)[number];

export function rolesOf(names: readonly RoleName[]): ReadonlySet<Role> {
  return new Set(
    names.flatMap((name): readonly Role[] => {
      if (name === 'standalone' || name === 'local') return roles;
      return [name === 'webserver' ? 'api' : name];
    }),
  );
}
