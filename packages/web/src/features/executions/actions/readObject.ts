export type ReadObject =
  | { readonly value: Record<string, unknown> }
  | { readonly problem: 'notJson' | 'notObject'; readonly reason?: string };

/** A text that must be a JSON object; an empty one is an empty object. */
export function readObject(text: string): ReadObject {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : { problem: 'notObject' };
  } catch (error) {
    return { problem: 'notJson', reason: error instanceof Error ? error.message : String(error) };
  }
}
