/** JSON of a Google service. Fields are read by kind, so that a missing or strange one is simply absent. */
export type Json = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapAt = (json: Json, key: string): Json => {
  const value = json[key];
  return isMap(value) ? value : {};
};

export const textAt = (json: Json, key: string): string | undefined => {
  const value = json[key];
  return typeof value === 'string' ? value : undefined;
};

/** Google writes 64-bit numbers as text. */
export const numberAt = (json: Json, key: string): number | undefined => {
  const value = json[key];
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : undefined;
};

export const flagAt = (json: Json, key: string): boolean | undefined => {
  const value = json[key];
  return typeof value === 'boolean' ? value : undefined;
};

/** The maps of a list. */
export const mapsAt = (json: Json, key: string): readonly Json[] => {
  const value = json[key];
  return Array.isArray(value) ? value.filter(isMap) : [];
};

export const textsAt = (json: Json, key: string): readonly string[] => {
  const value = json[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
};

/** Milliseconds since 1970, which Google writes as text, as an ISO date. */
export const dateAt = (json: Json, key: string): string | undefined => {
  const ms = numberAt(json, key);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

/** Without the fields that have no value. */
export const dropMissing = <T extends Record<string, unknown>>(fields: T): Present<T> =>
  // `as`: only fields that may be undefined are left out.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
