import type { Definition } from '@millrace/plugin-kit';
import { defineDatabase } from '../base/defineDatabase.ts';
import type { Database } from '../base/session.ts';
import { copyIn, copyOut } from './copy.ts';
import { sslProperties } from './properties.ts';
import { dollarPlaceholder, doubleQuoted, openPostgresSession, postgresSyntax } from './session.ts';
import { postgres, readSettings } from './settings.ts';

const postgresql: Database = {
  name: 'postgresql',
  title: postgres.title,
  schemes: postgres.schemes,
  exampleUrl: 'jdbc:postgresql://localhost:5432/postgres',
  syntax: postgresSyntax,
  placeholder: dollarPlaceholder,
  quoteName: doubleQuoted,
  properties: sslProperties,
  open: (context, input) => openPostgresSession(context, readSettings(input)),
};

export const postgresqlTypes: readonly Definition[] = [
  ...defineDatabase(postgresql, { batch: 'Batch' }),
  copyIn,
  copyOut,
];
