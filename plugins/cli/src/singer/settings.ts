type Values = Readonly<Record<string, unknown>>;

/** Programs that call the property `username` `user`. */
export const asUser = ({ username }: Values) => ({ user: username, username: undefined });

/** Programs that take a list as one text. */
export const joined = (value: unknown, separator: string): unknown =>
  Array.isArray(value) ? value.join(separator) : value;

/** Programs that take an object or a list where the property is a text: JSON is read, other text is kept. */
export function asJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The Singer specification writes dates with a time: `2026-01-01` is midnight in UTC. */
export const asDateTime = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value;
