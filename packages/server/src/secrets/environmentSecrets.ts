/** Secrets by upper-case name. */
export interface Secrets {
  find(name: string): string | undefined;
  /** Sorted. */
  names(): readonly string[];
}

const prefix = 'SECRET_';

/** Reads `SECRET_<NAME>` variables, whose values are base64. Invalid values are reported by name. */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): {
  readonly secrets: Secrets;
  readonly unusable: readonly string[];
} {
  const values = new Map<string, string>();
  const unusable: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.toUpperCase().startsWith(prefix) || value === undefined) continue;
    const text = decode(value);
    if (text === undefined) unusable.push(name);
    else values.set(name.slice(prefix.length).toUpperCase(), text);
  }
  const names = [...values.keys()].sort();
  return { secrets: { find: (name) => values.get(name.toUpperCase()), names: () => names }, unusable };
}

function decode(value: string): string | undefined {
  const compact = value.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  return Buffer.from(compact, 'base64').toString('utf8');
}

const environmentPrefix = 'ENV_';

/** `ENV_city=Rome` is seen by expressions as `envs.city`. */
export function readEnvs(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const envs: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith(environmentPrefix) && value !== undefined) {
      envs[name.slice(environmentPrefix.length).toLowerCase()] = value;
    }
  }
  return envs;
}
