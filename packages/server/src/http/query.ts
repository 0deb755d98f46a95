export type QueryValues = Record<string, string | string[]>;

/** Plain names to values, a list where a name is repeated. Objects cannot be smuggled in through a query. */
export function parseQuery(text: string): QueryValues {
  const values: QueryValues = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const existing = values[name];
    if (existing === undefined) values[name] = value;
    else if (typeof existing === 'string') values[name] = [existing, value];
    else existing.push(value);
  }
  return values;
}
