/** What a process does. One that is `standalone` does all of it. */
export const roles = ['api', 'executor', 'worker', 'scheduler'] as const;
export type Role = (typeof roles)[number];

/** What people type: `webserver` and `local` are names they know from elsewhere. */
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
