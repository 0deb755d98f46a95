import type { Definition } from '@millrace/plugin-kit';
import { defineDatabase } from '../base/defineDatabase.ts';
import type { Database } from '../base/session.ts';
import { exampleUrl, keyProperties, placeProperties } from './properties.ts';
import { SnowflakeSession, snowflakeSyntax } from './session.ts';
import { readSettings } from './settings.ts';
import { stageTypes } from './stageTasks.ts';

const snowflake: Database = {
  name: 'snowflake',
  title: 'Snowflake',
  schemes: ['jdbc:snowflake:'],
  exampleUrl,
  syntax: snowflakeSyntax,
  placeholder: () => '?',
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  takesScripts: () => true,
  isPooled: false,
  properties: () => ({ ...placeProperties(), ...keyProperties() }),
  open: async (context, input) => {
    const session = new SnowflakeSession(context, readSettings(input));
    await session.logIn();
    return session;
  },
};

export const snowflakeTypes: readonly Definition[] = [...defineDatabase(snowflake), ...stageTypes(snowflake)];
