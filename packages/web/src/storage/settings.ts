import { dateFormats, defaultDateFormat } from '../format/dateFormats.ts';
import { readStored, type StorageKey, useStored, writeStored } from './storage.ts';

/** How one setting is read from its stored text. An unknown text counts as not set. */
interface Setting<T> {
  readonly initial: T;
  readonly read: (text: string) => T | undefined;
}

const choice = <const Values extends readonly string[]>(values: Values, initial: Values[number]) => ({
  initial,
  values,
  read: (text: string): Values[number] | undefined => values.find((value) => value === text),
});
const flag = (initial: boolean): Setting<boolean> => ({
  initial,
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
});
const size = (initial: number): Setting<number> => ({
  initial,
  read: (text) => {
    const value = Number(text);
    return Number.isInteger(value) && value >= fontSizes.min && value <= fontSizes.max ? value : undefined;
  },
});
const text: Setting<string> = { initial: '', read: (value) => value };

const zone: Setting<string> = { initial: '', read: (value) => (isTimeZone(value) ? value : undefined) };

const knownZones = new Map<string, boolean>();

/** Asked for every date that is written, so each answer is kept. */
function isTimeZone(name: string): boolean {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  let is = name !== '';
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    is = false;
  }
  knownZones.set(name, is);
  return is;
}

/** What may stand beside the text or the forms of a flow; chosen in the editor itself. */
export const editorSides = [
  'none',
  'topology',
  'dryRun',
  'playground',
  'documentation',
  'blueprints',
] as const;

export const fontSizes = { min: 1, max: 50 } as const;

/** The choices of the settings page, with what holds while nothing is chosen. */
export const settings = {
  theme: choice(['light', 'dark', 'auto'], 'auto'),
  defaultNamespace: text,
  defaultLogLevel: choice(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'], 'INFO'),
  logDisplay: choice(['all', 'error', 'hidden'], 'all'),
  editorType: choice(['YAML', 'NO_CODE'], 'YAML'),
  executeIn: choice(['same tab', 'new tab'], 'same tab'),
  executionTab: choice(['overview', 'gantt', 'logs', 'topology', 'outputs', 'metrics'], 'gantt'),
  flowTab: choice(
    [
      'overview',
      'topology',
      'executions',
      'grid',
      'edit',
      'tests',
      'revisions',
      'triggers',
      'calendar',
      'logs',
      'metrics',
      'dependencies',
      'concurrency',
    ],
    'overview',
  ),
  multiPanelEditor: flag(false),
  chartScheme: choice(['classic', 'millrace'], 'classic'),
  editorTheme: choice(['light', 'dark', 'auto'], 'auto'),
  editorFontSize: size(12),
  logsFontSize: size(12),
  editorFontFamily: text,
  autoFold: flag(false),
  environmentName: text,
  environmentColor: text,
  timeZone: zone,
  dateFormat: choice(dateFormats, defaultDateFormat),
} satisfies Partial<Record<StorageKey, Setting<unknown>>>;

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> = NonNullable<ReturnType<(typeof settings)[Name]['read']>>;

export const readSetting = <Name extends SettingName>(name: Name): SettingValue<Name> =>
  parse(name, readStored(name));

/** Follows a setting: a change on the settings page shows at once. */
export const useSetting = <Name extends SettingName>(name: Name): SettingValue<Name> =>
  parse(name, useStored(name));

/** Default values are not stored, so that a changed default reaches every user who chose nothing. */
export function writeSetting<Name extends SettingName>(name: Name, value: SettingValue<Name>): void {
  writeStored(name, value === settings[name].initial ? undefined : String(value));
}

function parse<Name extends SettingName>(name: Name, stored: string | undefined): SettingValue<Name> {
  const { initial, read } = settings[name];
  // The table above ties each name to the type that its `read` returns.
  return ((stored === undefined ? undefined : read(stored)) ?? initial) as SettingValue<Name>;
}
