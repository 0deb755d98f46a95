/**
 * Every key the web app keeps in the browser. The names of the first group are fixed: other tools and
 * earlier versions of the product read them.
 */
const keys = {
  menuCollapsed: 'menuCollapsed',
  theme: 'theme',
  lang: 'lang',
  autoRefresh: 'autoRefresh',
  pageSize: 'paginationSize',
  topologyOrientation: 'topology-orientation',
} as const;

export type StorageKey = keyof typeof keys | `columns:${string}` | `split:${string}`;

const nameOf = (key: StorageKey): string => (key in keys ? keys[key as keyof typeof keys] : key);

/** Storage may be switched off or full; the app then works without its memory. */
export function readStored(key: StorageKey): string | undefined {
  try {
    return localStorage.getItem(nameOf(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(key: StorageKey, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(nameOf(key));
    else localStorage.setItem(nameOf(key), value);
  } catch {
    // Nothing to do: the choice lasts for this visit only.
  }
}
