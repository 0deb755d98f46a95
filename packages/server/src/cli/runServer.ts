import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from '../compileCache.ts';
import { loadConfig } from '../config/load.ts';
import { reduceMemoryWhenWorthwhile } from '../memoryReducer.ts';
import { openCatalogue } from '../plugins/openCatalogue.ts';
import { productFamilies } from '../plugins/productFamilies.ts';
import { prepareStore } from '../prepareStore.ts';
import { openProcessLog, type ProcessLog } from '../processLog.ts';
import { exposedSecrets } from '../sealedEnvironment.ts';
import { version } from '../version.ts';
import { exitOnFailure } from './exitOnFailure.ts';

/** After an uncaught error, closing may hang; the process exits after this time. */
const closeBeyondGraceMs = 10_000;

/** Starts the server in this process; it runs until a signal ends it. */
export async function runServer({
  file,
  settings,
}: {
  file: string | undefined;
  settings: Record<string, unknown>;
}): Promise<void> {
  const { config, warnings } = loadConfig({
    ...(file === undefined ? {} : { file }),
    env: process.env,
    flags: settings,
  });
  const log = openProcessLog(config.log.level);
  for (const warning of warnings) log.warn(warning);
  const exposed = exposedSecrets();
  if (exposed.length > 0) {
    log.warn(
      `Tasks can read ${exposed.join(', ')} from the environment of this process. Start it with "millrace", "npm start" or scripts/millrace-sealed.`,
    );
  }
  const failure = exitOnFailure(log, config.server.graceMs + closeBeyondGraceMs);
  const store = await prepareStore(config, log, failure.end);
  const { startServer } = await import('../startServer.ts');
  const server = await startServer({
    config,
    store,
    env: process.env,
    catalogue: await openCatalogue(config.plugins, log, await productFamilies()),
    log,
    onFatal: failure.end,
    webFolder: findWebFolder(),
  });
  failure.closeWith(server.close);
  process.stdout.write(
    [
      `Millrace ${version} is running.`,
      ...(server.url === undefined ? [] : [`  Web app and API  ${server.url}`]),
      ...(config.server.roles.includes('standalone')
        ? []
        : [`  Role             ${config.server.roles.join(', ')}`]),
      `  Health, metrics  ${server.managementUrl}`,
      `  Data             ${config.database.url === undefined ? config.data : 'PostgreSQL'}`,
      'Press Ctrl+C to stop.',
      '',
    ].join('\n'),
  );
  stopOnSignals(server.close, log);
  keepCompiled();
  reduceMemoryWhenWorthwhile();
}

function stopOnSignals(close: () => Promise<void>, log: ProcessLog): void {
  let isStopping = false;
  const stop = () => {
    // A second signal means that the user does not want to wait; the next start resumes unfinished work.
    if (isStopping) process.exit(1);
    isStopping = true;
    process.stdout.write('Stopping …\n');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('The server did not stop cleanly.', { error });
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Next to the bundle after a build; in the sources, the output folder of the build. */
function findWebFolder(): string {
  const candidates = ['../web', '../../../../dist/web'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((folder) => existsSync(folder)) ?? '';
}
