import { type LogExporterDefinition, messageOf } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { exampleProperties } from './testing/exampleProperties.ts';
import { createFullCatalogue } from './testing.ts';

/*
 * Every log exporter whose target is down: the task fails with a sentence that names the reason, and the position in the
 * log stays where it was, so that the next run sends the same lines. Exporters that write files of this server have no target.
 */

const catalogue = createFullCatalogue();
const exporters = catalogue
  .definitions()
  .filter((definition): definition is LogExporterDefinition => definition.kind === 'logExporter')
  .filter(({ type }) => type !== 'core.log.exporter.File');

test.each(exporters.map(({ type }) => type))('%s loses no line while its target is down', async (type) => {
  const shipper = catalogue.find('core.log.LogShipper')?.definition;
  const exporter = exporters.find((each) => each.type === type);
  if (shipper?.kind !== 'task' || shipper.role !== 'task' || !exporter) throw new Error('It is gone.');
  const down = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:443'));
  let read = 0;
  const context = aTaskContext({
    findType: (name) => catalogue.find(name)?.definition,
    connect: down,
    fetch: down,
    mayReach: async () => {},
    lookup: (_host, _options, callback) => callback(new Error('ECONNREFUSED'), '', 0),
    actions: {
      fetchLogs: async function* () {
        read += 1;
        yield { level: 'INFO', message: 'a line', timestamp: '2026-01-31T00:00:00.000Z' };
      },
    },
  });
  const uri = await context.files.put('rows.ion', '');
  const [properties = {}] = exampleProperties(exporter, { fileUri: uri, port: 9 });
  const failure = await runType(shipper, { logExporters: [{ ...properties, type }] }, context).then(
    () => 'it succeeded',
    messageOf,
  );
  expect(failure).toMatch(/refused|could not be reached/i);
  expect(read).toBeLessThanOrEqual(1);
  expect(await context.kv.get('log-shipper', 'company.team')).toBeUndefined();
});
