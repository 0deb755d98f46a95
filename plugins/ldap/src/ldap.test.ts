import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  aSilentServer,
  aTaskContext,
  realNetwork,
  runType,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ldapFamily } from './index.ts';
import { type LdapServer, startSlapd } from './testing/slapd.ts';

let server: LdapServer;
beforeAll(async () => {
  server = await startSlapd();
});
afterAll(() => server.stop());

const connection = () => ({
  hostname: server.host,
  port: server.port,
  userDn: server.userDn,
  password: server.password,
});
const aContext = () => aTaskContext(realNetwork());
const run = (name: string, properties: object, context: TestContext) => {
  const found = ldapFamily.types.find(({ type }) => type === `ldap.${name}`);
  // `as`: every type of the family is a task.
  return runType(found as TaskDefinition, { ...properties }, context);
};

const people = [
  {
    dn: 'dc=example,dc=com',
    attributes: { objectClass: ['dcObject', 'organization'], dc: ['example'], o: ['Example'] },
  },
  {
    dn: 'cn=Ada,dc=example,dc=com',
    attributes: { objectClass: ['inetOrgPerson'], cn: ['Ada'], sn: ['Løvelace'] },
  },
];

async function store(context: TestContext, rows: readonly object[]): Promise<string> {
  const uri = await context.files.put('rows.ion', rows.map((row) => JSON.stringify(row)).join('\n'));
  const { urisList } = await run('IonToLdif', { inputs: [uri] }, context);
  return (urisList as string[])[0] ?? '';
}

async function searched(context: TestContext, more: object = {}): Promise<Record<string, unknown>[]> {
  const base = { ...connection(), baseDn: 'dc=example,dc=com', filter: '(objectClass=inetOrgPerson)' };
  const { uri } = await run('Search', { ...base, ...more }, context);
  const { urisList } = await run('LdifToIon', { inputs: [uri] }, context);
  const text = await context.files.text((urisList as string[])[0] ?? '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('entries are added, found, modified and deleted on a real server', async () => {
  const context = aContext();
  await run('Add', { ...connection(), inputs: [await store(context, people)] }, context);
  expect(context.metrics).toContainEqual({ name: 'additions.done', type: 'counter', value: 2 });
  expect(await searched(context)).toEqual([people[1]]);
  const modifications = [
    { operation: 'add', attribute: 'mail', values: ['ada@example.com', 'al@example.com'] },
    { operation: 'replace', attribute: 'sn', values: ['King'] },
  ];
  const change = await store(context, [{ dn: people[1]?.dn, changeType: 'modify', modifications }]);
  await run('Modify', { ...connection(), inputs: [change] }, context);
  expect(await searched(context, { attributes: ['mail', 'sn'], pageSize: 1 })).toEqual([
    { dn: people[1]?.dn, attributes: { sn: ['King'], mail: ['ada@example.com', 'al@example.com'] } },
  ]);
  const gone = await store(context, [{ dn: people[1]?.dn }, { dn: 'cn=Nobody,dc=example,dc=com' }]);
  await run('Delete', { ...connection(), inputs: [gone] }, context);
  expect(context.metrics).toContainEqual({ name: 'deletions.requested', type: 'counter', value: 2 });
  expect(context.metrics).toContainEqual({ name: 'deletions.done', type: 'counter', value: 1 });
  expect(context.logs).toContainEqual({ level: 'ERROR', message: expect.stringContaining('cn=Nobody') });
  expect(await searched(context)).toEqual([]);
});

test('LDIF is read with folded lines, comments and base64, and written so that it can be read', async () => {
  const context = aContext();
  const text =
    'version: 1\n# comment\ndn: cn=a,\n dc=b\nsn:: w7hy\ncn: a\ncn: b\n\ndn: cn=c\nchangetype: delete\n';
  const uri = await context.files.put('x.ldif', text);
  const { urisList } = await run('LdifToIon', { inputs: [uri] }, context);
  const [rows = ''] = urisList as string[];
  expect(await context.files.text(rows)).toBe(
    '{"dn":"cn=a,dc=b","attributes":{"sn":["ør"],"cn":["a","b"]}}\n{"dn":"cn=c","changeType":"delete"}\n',
  );
  const back = await run('IonToLdif', { inputs: [rows] }, context);
  expect(await context.files.text((back.urisList as string[])[0] ?? '')).toBe(
    'dn: cn=a,dc=b\nsn:: w7hy\ncn: a\ncn: b\n\ndn: cn=c\nchangetype: delete\n\n',
  );
  const wrong = await context.files.put('x.ldif', 'cn: a\n');
  await expect(run('LdifToIon', { inputs: [wrong] }, context)).rejects.toThrow('must begin with "dn:"');
});

test('a wrong password, a wrong base, a wrong host and a refused one are named', async () => {
  const base = { ...connection(), baseDn: 'dc=example,dc=com' };
  await expect(run('Search', { ...base, password: 'wrong-password' }, aContext())).rejects.toThrow(
    'does not let',
  );
  await expect(run('Search', { ...base, baseDn: 'dc=other' }, aContext())).rejects.toThrow('LDAP on');
  await expect(run('Search', { ...base, hostname: 'no-such-host.invalid' }, aContext())).rejects.toThrow(
    'no-such-host.invalid',
  );
  await expect(run('Search', { ...base, authMethod: 'gssapi' }, aContext())).rejects.toThrow(
    'is not supported',
  );
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('Search', base, closed)).rejects.toThrow('not allowed by the outbound policy');
});

test('a killed task ends within two seconds', async () => {
  const silent = await aSilentServer();
  const context = aContext();
  const place = { ...connection(), hostname: '127.0.0.1', port: silent.port, baseDn: 'dc=example,dc=com' };
  await silent.expectKilled(context, run('Search', place, context));
});
