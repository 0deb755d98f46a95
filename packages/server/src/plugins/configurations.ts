import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { Config } from '../config/schema.ts';

/** The configuration of individual plugin types. */
export interface TypeConfigurations {
  /** The configuration of a type, under any of its names; a later entry wins. */
  of(type: string): Readonly<Record<string, unknown>>;
}

const nothing: Readonly<Record<string, unknown>> = {};

export function readConfigurations(
  entries: Config['plugins']['configurations'],
  catalogue: PluginCatalogue,
): TypeConfigurations {
  const nameOf = (type: string) => catalogue.find(type)?.type ?? type;
  const byType = new Map<string, Record<string, unknown>>();
  for (const { type, values } of entries) {
    byType.set(nameOf(type), { ...byType.get(nameOf(type)), ...camelCased(values) });
  }
  return { of: (type) => byType.get(nameOf(type)) ?? nothing };
}

/** Settings are written `volumeEnabled` here and `volume-enabled` in files that came from elsewhere. */
const camelCased = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
