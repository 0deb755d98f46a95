/** `?a=1&b=x&b=y`: lists by repetition, without brackets or indexes; empty values are left out. */
export function queryString(query: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null && item !== '') pairs.append(name, String(item));
  const text = pairs.toString();
  return text && `?${text}`;
}
