import { anything, choice, duration, flag, integer, listOf, mapOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  dateAt,
  dropMissing,
  flagAt,
  isMap,
  type Json,
  mapAt,
  mapsAt,
  numberAt,
  textAt,
  textsAt,
} from '../google/json.ts';
import { toMs } from './jobs.ts';

const tableTypes = ['TABLE', 'VIEW', 'MATERIALIZED_VIEW', 'EXTERNAL', 'MODEL'] as const;
const externalFormats = [
  'CSV',
  'JSON',
  'BIGTABLE',
  'DATASTORE_BACKUP',
  'AVRO',
  'GOOGLE_SHEETS',
  'PARQUET',
  'ORC',
] as const;

/** How a table is defined in a flow. Fields may hold fields, so their maps are read as they are. */
export const tableDefinitionProperty = () =>
  part({
    type: choice(tableTypes)
      .optional()
      .describe('The kind of the table; found by the parts that are given when absent.'),
    schema: part({
      fields: listOf(mapOf(anything()))
        .optional()
        .describe(
          'The columns: maps with `name`, `type`, `mode`, `description`, `policyTags` and `subFields`.',
        ),
    })
      .optional()
      .describe('The columns of the table.'),
    standardTableDefinition: part({
      streamingBuffer: anything().optional().describe('Only in outputs.'),
      clustering: listOf(text()).optional().describe('The columns that the table is clustered by.'),
      timePartitioning: part({
        type: choice(['DAY', 'HOUR', 'MONTH', 'YEAR']).optional().describe('The length of a partition.'),
        expiration: duration().optional().describe('How long a partition lives.'),
        field: text().optional().describe('The column; the time of loading when absent.'),
        requirePartitionFilter: flag().optional().describe('Queries must filter by the column.'),
      })
        .optional()
        .describe('Partitions by time.'),
      rangePartitioning: part({
        field: text().optional().describe('The integer column.'),
        range: part({
          start: integer().optional().describe('Where the first partition starts.'),
          end: integer().optional().describe('Where the last partition ends.'),
          interval: integer().optional().describe('The width of a partition.'),
        })
          .optional()
          .describe('The partitions.'),
      })
        .optional()
        .describe('Partitions by number.'),
    })
      .optional()
      .describe('Of a plain table.'),
    materializedViewDefinition: part({
      lastRefreshDate: text().optional().describe('Only in outputs.'),
      query: text().optional().describe('The SQL.'),
      enableRefresh: flag().optional().describe('Whether BigQuery keeps the view up to date.'),
      refreshInterval: duration().optional().describe('How often.'),
    })
      .optional()
      .describe('Of a materialized view.'),
    viewDefinition: part({
      query: text().optional().describe('The SQL.'),
      viewUserDefinedFunctions: listOf(
        part({
          type: text().optional().describe('`INLINE` or `FROM_URI`.'),
          content: text().optional().describe('The code, or its address.'),
        }),
      )
        .optional()
        .describe('Functions of a view in legacy SQL.'),
    })
      .optional()
      .describe('Of a view.'),
    externalTableDefinition: part({
      sourceUris: listOf(text()).optional().describe('The addresses of the files.'),
      formatType: choice(externalFormats).optional().describe('Their format.'),
      autodetect: flag().optional().describe('Let BigQuery find the schema.'),
      compression: text().optional().describe('`GZIP`, or `NONE`.'),
      maxBadRecords: integer({ min: 0 }).optional().describe('How many bad rows are left out.'),
      ignoreUnknownValues: flag().optional().describe('Leave out values that the schema does not name.'),
    })
      .optional()
      .describe('Of a table whose rows are in files.'),
  })
    .optional()
    .describe('What the table is: its columns, partitions, query or files.');

export type TableDefinition = NonNullable<z.infer<ReturnType<typeof tableDefinitionProperty>>>;

const toField = (field: Json): Json => {
  const { subFields, type, mode, ...rest } = field;
  const inner = Array.isArray(subFields) ? subFields.filter(isMap) : mapsAt(field, 'fields');
  return {
    ...rest,
    ...(typeof type === 'string' && { type: type.toUpperCase() }),
    ...(typeof mode === 'string' && { mode: mode.toUpperCase() }),
    ...(inner.length > 0 && { fields: inner.map(toField) }),
  };
};

const jsonFormat = (format: string | undefined) => (format === 'JSON' ? 'NEWLINE_DELIMITED_JSON' : format);

/** Converts a definition to the fields of a table resource. */
export function toTableResource(definition: TableDefinition | undefined): Json {
  if (!definition) return {};
  const {
    schema,
    standardTableDefinition: standard,
    viewDefinition: view,
    materializedViewDefinition: materialized,
    externalTableDefinition: external,
  } = definition;
  const time = standard?.timePartitioning;
  const range = standard?.rangePartitioning;
  return dropMissing({
    schema: schema?.fields && { fields: schema.fields.map(toField) },
    clustering: standard?.clustering && { fields: standard.clustering },
    timePartitioning:
      time &&
      dropMissing({ type: time.type ?? 'DAY', expirationMs: toMs(time.expiration), field: time.field }),
    requirePartitionFilter: time?.requirePartitionFilter,
    rangePartitioning:
      range &&
      dropMissing({
        field: range.field,
        range:
          range.range &&
          dropMissing({
            start: toMs(range.range.start),
            end: toMs(range.range.end),
            interval: toMs(range.range.interval),
          }),
      }),
    view: view && {
      query: view.query,
      useLegacySql: view.viewUserDefinedFunctions !== undefined,
      ...(view.viewUserDefinedFunctions && {
        userDefinedFunctionResources: view.viewUserDefinedFunctions.map(({ type, content }) =>
          type === 'FROM_URI' ? { resourceUri: content } : { inlineCode: content },
        ),
      }),
    },
    materializedView:
      materialized &&
      dropMissing({
        query: materialized.query,
        enableRefresh: materialized.enableRefresh,
        refreshIntervalMs: toMs(materialized.refreshInterval),
      }),
    externalDataConfiguration:
      external &&
      dropMissing({
        sourceUris: external.sourceUris,
        sourceFormat: jsonFormat(external.formatType),
        autodetect: external.autodetect,
        compression: external.compression,
        maxBadRecords: external.maxBadRecords,
        ignoreUnknownValues: external.ignoreUnknownValues,
      }),
  });
}

const optional = () => z.string().optional();
const amount = () => z.number().optional();

export const tableOutput = z.object({
  projectId: z.string().describe('The project.'),
  datasetId: z.string().describe('The dataset.'),
  table: z.string().describe('The table.'),
  etag: optional().describe('Changes with every change of the table.'),
  generatedId: optional().describe('The id.'),
  selfLink: optional().describe('The address in the API.'),
  friendlyName: optional().describe('The name for people.'),
  description: optional().describe('What the table is for.'),
  creationTime: optional().describe('When it was created.'),
  expirationTime: optional().describe('When it expires.'),
  lastModifiedTime: optional().describe('When it last changed.'),
  numBytes: amount().describe('Its length in bytes.'),
  numLongTermBytes: amount().describe('How many of them are billed as long-term storage.'),
  numRows: amount().describe('How many rows it has.'),
  definition: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its columns, partitions, query or files.'),
  encryptionConfiguration: z
    .object({ kmsKeyName: optional().describe('The key.') })
    .optional()
    .describe('The key that encrypts it.'),
  labels: z.record(z.string(), z.string()).optional().describe('Its labels.'),
  requirePartitionFilter: z.boolean().optional().describe('Queries must filter by its partitions.'),
});

const fromField = (field: Json): Json => {
  const { fields: _, ...rest } = field;
  const inner = mapsAt(field, 'fields');
  return { ...rest, ...(inner.length > 0 && { subFields: inner.map(fromField) }) };
};

function fromTableResource(json: Json): Json {
  const { clustering, timePartitioning, rangePartitioning, streamingBuffer } = json;
  const view = mapAt(json, 'view');
  const materialized = mapAt(json, 'materializedView');
  const external = mapAt(json, 'externalDataConfiguration');
  const type = textAt(json, 'type');
  return dropMissing({
    type,
    schema: isMap(json.schema) ? { fields: mapsAt(json.schema, 'fields').map(fromField) } : undefined,
    standardTableDefinition:
      type === 'TABLE'
        ? dropMissing({
            clustering: isMap(clustering) ? textsAt(clustering, 'fields') : undefined,
            timePartitioning,
            rangePartitioning,
            streamingBuffer,
          })
        : undefined,
    viewDefinition: json.view === undefined ? undefined : { query: textAt(view, 'query') },
    materializedViewDefinition:
      json.materializedView === undefined
        ? undefined
        : dropMissing({
            query: textAt(materialized, 'query'),
            enableRefresh: flagAt(materialized, 'enableRefresh'),
            lastRefreshDate: dateAt(materialized, 'lastRefreshTime'),
          }),
    externalTableDefinition:
      json.externalDataConfiguration === undefined
        ? undefined
        : dropMissing({
            sourceUris: textsAt(external, 'sourceUris'),
            formatType: textAt(external, 'sourceFormat'),
          }),
  });
}

export function toTableOutput(json: Json): z.infer<typeof tableOutput> {
  const reference = mapAt(json, 'tableReference');
  return dropMissing({
    projectId: textAt(reference, 'projectId') ?? '',
    datasetId: textAt(reference, 'datasetId') ?? '',
    table: textAt(reference, 'tableId') ?? '',
    etag: textAt(json, 'etag'),
    generatedId: textAt(json, 'id'),
    selfLink: textAt(json, 'selfLink'),
    friendlyName: textAt(json, 'friendlyName'),
    description: textAt(json, 'description'),
    creationTime: dateAt(json, 'creationTime'),
    expirationTime: dateAt(json, 'expirationTime'),
    lastModifiedTime: dateAt(json, 'lastModifiedTime'),
    numBytes: numberAt(json, 'numBytes'),
    numLongTermBytes: numberAt(json, 'numLongTermBytes'),
    numRows: numberAt(json, 'numRows'),
    definition: { ...fromTableResource(json) },
    encryptionConfiguration:
      json.encryptionConfiguration === undefined
        ? undefined
        : dropMissing({ kmsKeyName: textAt(mapAt(json, 'encryptionConfiguration'), 'kmsKeyName') }),
    // `as`: labels are a map of texts.
    labels: json.labels as Record<string, string> | undefined,
    requirePartitionFilter: flagAt(json, 'requirePartitionFilter'),
  });
}
