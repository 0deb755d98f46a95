import { TaskFailed } from '@millrace/plugin-kit';
import { localTime } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { parseExactJson } from '../base/exactNumber.js';
import type { Database } from '../base/session.ts';
import { cellReader, type ReadCell } from './cells.ts';
import {
  dollarPlaceholder,
  doubleQuoted,
  openPostgresSession,
  postgresSyntax,
  type SessionOptions,
} from './session.ts';
import { type Flavor, readSettings } from './settings.ts';

const flavor: Flavor = { title: 'Redshift', schemes: ['jdbc:redshift:'], defaultPort: 5439 };

/** Types whose values differ from those of PostgreSQL: SUPER, and times with an offset. */
const ownCells: Readonly<Record<number, ReadCell>> = {
  4000: (text) => parseExactJson(text),
  1266: (text) => localTime(text).replace(/([+-]\d{2})$/, '$1:00'),
};

const options: SessionOptions = {
  setup: "SET datestyle TO 'ISO'",
  resetSql: '',
  hasOwnTypes: false,
  cells: (zone, ownTypes) => {
    const read = cellReader(zone, ownTypes);
    return (type) => ownCells[type] ?? read(type);
  },
};

const redshift: Database = {
  name: 'redshift',
  title: flavor.title,
  schemes: flavor.schemes,
  exampleUrl: 'jdbc:redshift://example.eu-west-1.redshift.amazonaws.com:5439/dev',
  syntax: postgresSyntax,
  placeholder: dollarPlaceholder,
  quoteName: doubleQuoted,
  // Redshift has no DISCARD ALL, so a connection cannot be cleaned for the next task.
  isPooled: false,
  open: (context, input) => {
    if (/^jdbc:redshift:iam:/i.test(input.url))
      throw new TaskFailed(
        'Redshift URLs with "iam" are not supported. Use "jdbc:redshift://host:5439/database" with user name and password.',
        { retry: false },
      );
    return openPostgresSession(context, readSettings(input, flavor), options);
  },
};

export const redshiftTypes = defineDatabase(redshift);
