import { useSyncExternalStore } from 'react';
import type { z } from 'zod';

/**
 * Every key the web app keeps in the browser. The names are fixed: people's browsers, other tools and earlier
 * versions of the product know them.
 */
const keys = {
  // The shell.
  menuCollapsed: 'menuCollapsed',
  bookmarks: 'starred.bookmarks',
  feeds: 'feeds',
  uid: 'uid',
  tourDoneOrSkip: 'tourDoneOrSkip',
  paletteRecent: 'palette.recent',
  expressionsRecent: 'expressions.recent',
  impersonation: 'impersonate',
  jobs: 'jobs',
  signedIn: 'signedIn',
  sessionRenewedAt: 'sessionRenewedAt',
  reminderUptime: 'security.advice.uptime',
  reminderExpired: 'security.advice.expired',
  reminderShow: 'security.advice.show',
  // What the settings page writes.
  theme: 'theme',
  lang: 'lang',
  defaultNamespace: 'defaultNamespace',
  defaultLogLevel: 'defaultLogLevel',
  logDisplay: 'logDisplay',
  editorType: 'editorViewType',
  executeIn: 'executeFlowBehaviour',
  executionTab: 'executeDefaultTab',
  flowTab: 'flowDefaultTab',
  multiPanelEditor: 'multiPanelEditor',
  chartScheme: 'scheme',
  editorTheme: 'editorTheme',
  editorFontSize: 'editorFontSize',
  logsFontSize: 'logsFontSize',
  editorFontFamily: 'editorFontFamily',
  autoFold: 'autofoldTextEditor',
  environmentName: 'envName',
  environmentColor: 'envColor',
  timeZone: 'timezone',
  dateFormat: 'dateFormat',
  // Lists and views.
  logOrder: 'logOrder',
  autoRefresh: 'autoRefresh',
  pageSize: 'paginationSize',
  topologyOrientation: 'topology-orientation',
  editorView: 'flowEditorView',
  editorSide: 'view-type',
  editorFiles: 'flowEditorFiles',
  testsBeforeSaving: 'flowTestsBeforeSaving',
  recentTypes: 'graphRecentTypes',
} as const;

export type StorageKey =
  | keyof typeof keys
  | `columns:${string}`
  | `split:${string}`
  | `panels:${string}`
  | `saved__${string}`
  | `chart:${string}`
  | `draft:${string}`
  | `inputs:${string}`;

const nameOf = (key: StorageKey): string => (key in keys ? keys[key as keyof typeof keys] : key);

const listeners = new Set<() => void>();

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
  for (const listener of listeners) listener();
}

/** The stored keys that begin with `prefix`. */
export function listStored<Prefix extends StorageKey>(prefix: Prefix): `${Prefix}${string}`[] {
  try {
    return Object.keys(localStorage).filter((key): key is `${Prefix}${string}` => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** A stored value that redraws what shows it, whichever part of the app or which other tab changes it. */
export const useStored = (key: StorageKey): string | undefined =>
  useSyncExternalStore(subscribe, () => readStored(key));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** What lasts as long as the tab of the browser does, reloads included. */
export function readSession<T>(name: string, schema: z.ZodType<T>): T | undefined {
  try {
    const stored = sessionStorage.getItem(name);
    return stored === null ? undefined : schema.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

export function writeSession(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the app then works without its memory.
  }
}
