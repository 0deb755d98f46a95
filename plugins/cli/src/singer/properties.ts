import {
  anything,
  choice,
  deprecated,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  storageUri,
  text,
} from '@millrace/plugin-kit';
import { cliProperties } from '@millrace/plugin-scripts';
import type { z } from 'zod';

const make = <T extends z.ZodType>(schema: T, words: string): T => schema.describe(words);

/** Only the types are deprecated: a warning at each of their properties would say the same again. */
export const need = {
  text: (words: string) => make(text(), words),
  integer: (words: string) => make(integer(), words),
  flag: (words: string) => make(flag(), words),
  texts: (words: string) => make(listOf(text()), words),
  map: (words: string) => make(mapOf(anything()), words),
  any: (words: string) => make(anything(), words),
};
export const may = {
  text: (words: string) => make(text().optional(), words),
  duration: (words: string) => make(duration().optional(), words),
  integer: (words: string) => make(integer().optional(), words),
  flag: (words: string) => make(flag().optional(), words),
  texts: (words: string) => make(listOf(text()).optional(), words),
  map: (words: string) => make(mapOf(anything()).optional(), words),
};
export const preset = {
  text: (value: string, words: string) => make(text().default(value), words),
  integer: (value: number, words: string) => make(integer().default(value), words),
  flag: (value: boolean, words: string) => make(flag().default(value), words),
};
export const presetTexts = (value: string[], words: string) => make(listOf(text()).default(value), words);
export const oneOfThese = <const V extends readonly [string, ...string[]]>(
  values: V,
  value: V[number],
  words: string,
) => make(choice(values).default(value as never), words);

/** The properties of every tap and target. */
export const commonProperties = () => ({
  stateName: preset.text(
    'singer-state',
    'The name of the state in the key-value store. A target writes it, and the tap of the same flow continues from it.',
  ),
  pipPackages: may.texts(
    'The packages that pip installs instead of the default one, such as `tap-github==2.0.0`. An empty list installs nothing.',
  ),
  command: may.text('The command to run instead of the default one.'),
  ...cliProperties('python:3.10.12'),
});

export const streamsProperty = () =>
  make(
    listOf(
      part({
        stream: text()
          .optional()
          .describe('The name of the stream; the entry applies to all streams when absent.'),
        replicationMethod: choice(['FULL_TABLE', 'INCREMENTAL', 'LOG_BASED'])
          .optional()
          .describe(
            '`FULL_TABLE` reads all rows, `INCREMENTAL` rows after the state, `LOG_BASED` the change log of the database.',
          ),
        replicationKeys: text()
          .optional()
          .describe('The column that orders rows for `INCREMENTAL`, such as `updated_at`.'),
        propertiesPattern: listOf(text())
          .optional()
          .describe(
            'Regular expressions that match the whole names of the columns to read; all columns when absent.',
          ),
        selected: flag()
          .default(true)
          .describe('Reads the stream. Set it to `false` to leave the stream out.'),
      }),
    ),
    'The streams and columns to read. Later entries take precedence.',
  );

export const fromProperty = () => make(storageUri(), 'The messages to write: the output `raw` of a tap.');

export const startDate = () =>
  need.text(
    'Reads records from this date on in the first run, as `2026-01-01` or `2026-01-01T00:00:00Z`. Later runs continue from the state.',
  );
export const endDate = () =>
  may.text('Reads records up to this date, as `2026-01-31`; up to today when absent.');

export const tableStreams = () =>
  make(
    listOf(
      part({
        name: text().optional().describe('The name of the stream.'),
        table: text().optional().describe('The table or view, such as `` `project.dataset.table` ``.'),
        columns: listOf(text()).optional().describe('The columns to read.'),
        datetime_key: text().optional().describe('The time column that orders rows and limits each run.'),
        filters: deprecated(
          listOf(text()).optional(),
          "filter in a view instead. Holds SQL conditions that all rows meet, such as `country = 'us'`.",
        ),
      }),
    ),
    'The tables to read, one stream each.',
  );

export const analyticsReports = () =>
  make(
    listOf(
      part({
        name: text().optional().describe('The name of the stream.'),
        dimensions: listOf(text()).optional().describe('The dimensions, such as `ga:date`.'),
        metrics: listOf(text()).optional().describe('The metrics, such as `ga:users`.'),
      }),
    ).optional(),
    'The reports to read, one stream each; the reports that the tap defines when absent.',
  );

/** How the targets of PipelineWise group rows. */
export const batches = () => ({
  batchSizeRows: preset.integer(
    100000,
    'The maximum number of rows per batch; a full batch is loaded at once.',
  ),
  flushAllStreams: preset.flag(
    false,
    'Loads the batches of all streams as soon as one is full. Can load many small batches.',
  ),
  parallelism: preset.integer(
    0,
    'The number of threads that load streams: 0 for one per stream, -1 for one per CPU core.',
  ),
});

/** How the targets of PipelineWise write records. */
export const recordHandling = () => ({
  addMetadataColumns: preset.flag(
    false,
    'Adds `_sdc_` columns with the times at which a row was read, loaded and deleted.',
  ),
  hardDelete: preset.flag(
    false,
    'Deletes rows that the source has deleted, instead of only marking them. Turns on `addMetadataColumns`.',
  ),
  dataFlatteningMaxLevel: preset.integer(
    0,
    'How many levels of nested objects become separate columns. With 0, an object is stored as JSON in one column.',
  ),
  primaryKeyRequired: preset.flag(
    true,
    'Fails for streams without a primary key, because their updates would create duplicate rows.',
  ),
  validateRecords: preset.flag(
    false,
    'Validates each record against the schema of its stream before loading. Finds invalid records earlier, but takes more CPU time.',
  ),
});
