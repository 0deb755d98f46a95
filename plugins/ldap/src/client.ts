import {
  anything,
  flag,
  importModule,
  integer,
  listOf,
  messageOf,
  openRelay,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Ldap from 'ldapts';
import { z } from 'zod';

export const connectionProperties = {
  hostname: text().describe('The server.'),
  port: integer({ min: 1, max: 65_535 }).describe('Its port.'),
  userDn: text().describe('The distinguished name of the user.'),
  password: text().describe('The password.'),
  authMethod: text().default('simple').describe('Must be `simple`: GSSAPI is not supported.'),
  kdc: text().optional().describe('Accepted for compatibility.'),
  realm: text().optional().describe('Accepted for compatibility.'),
  sslOptions: part({
    sslEnabled: flag().default(true).describe('Connect with TLS.'),
    insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.'),
  })
    .optional()
    .describe('How to connect with TLS.'),
  saslAllowedQoP: listOf(anything()).optional().describe('Accepted for compatibility.'),
};
const Connection = z.object(connectionProperties);
export type LdapConnection = z.infer<typeof Connection>;

const timeoutMs = 30_000;

/** Connects, logs in, runs the work, and always closes the connection. */
export async function withLdap<T>(
  context: TaskContext,
  input: LdapConnection,
  work: (client: Ldap.Client, ldap: typeof Ldap) => Promise<T>,
): Promise<T> {
  if (input.authMethod.toLowerCase() !== 'simple')
    throw new TaskFailed(`The login "${input.authMethod}" is not supported; use "simple".`, { retry: false });
  context.masker.add(input.password);
  const ldap = await importModule<typeof Ldap>('ldapts');
  const { hostname, port, sslOptions } = input;
  const relay = await openRelay(context, { host: hostname, port, timeoutMs: 10_000 });
  const isSecure = sslOptions?.sslEnabled === true;
  const client = new ldap.Client({
    url: `${isSecure ? 'ldaps' : 'ldap'}://${relay.host}:${relay.port}`,
    timeout: timeoutMs,
    connectTimeout: 10_000,
    ...(isSecure && {
      tlsOptions: { servername: hostname, rejectUnauthorized: !sslOptions.insecureTrustAllCertificates },
    }),
  });
  const stop = () => void relay.close();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.bind(input.userDn, input.password);
    const result = await work(client, ldap);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(relay.failure() ?? error, input);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await client.unbind().catch(() => {});
    await relay.close();
  }
}

function explain(error: unknown, { hostname, port, userDn }: LdapConnection): Error {
  if (error instanceof TaskFailed) return error;
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0;
  if (code === 49)
    return new TaskFailed(`${hostname}:${port} does not let "${userDn}" in with this password.`, {
      retry: false,
    });
  return new TaskFailed(`LDAP on ${hostname}:${port}: ${messageOf(error)}`, { cause: error });
}
