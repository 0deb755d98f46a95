import { createServer } from 'node:net';
import { isFolderLocked } from '@millrace/store';
import type { Check, Finding } from './check.ts';

/** A port in use is expected while a server runs on this folder. */
export const checkPorts: Check = async ({ config }) => {
  const { host, port, managementPort } = config.server;
  const isRunning = config.database.url === undefined && isFolderLocked(config.data);
  const findings: Finding[] = isRunning
    ? [{ check: 'ports', status: 'ok', message: 'A server is running on this data folder.' }]
    : [];
  for (const [name, wanted] of [
    ['port', port],
    ['management port', managementPort],
  ] as const) {
    const problem = await problemOf(host, wanted);
    if (problem === undefined)
      findings.push({ check: 'ports', status: 'ok', message: `The ${name} ${wanted} is free.` });
    else if (problem === 'EADDRINUSE' && isRunning) {
      findings.push({ check: 'ports', status: 'ok', message: `The ${name} ${wanted} is in use.` });
    } else {
      const reason =
        problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${problem})`;
      findings.push({
        check: 'ports',
        status: 'failed',
        message: `The ${name} ${wanted} on ${host} ${reason}.`,
      });
    }
  }
  return findings;
};

function problemOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}
