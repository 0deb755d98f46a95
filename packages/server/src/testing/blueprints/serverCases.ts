import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailPassword } from '@millrace/plugin-email/testing';
import { aRepository, type Repository } from '@millrace/plugin-git/testing';
import { aMongoStub, type MongoStub } from '@millrace/plugin-mongodb/testing';
import { expect } from 'vitest';
import type { Cases } from './case.ts';
import { postgresEdits, tables } from './databaseCases.ts';
import { perform } from './perform.ts';
import { pgpKeys } from './pgpKeys.ts';
import type { Services } from './services.ts';
import { smtpEdits } from './smtpEdits.ts';

const csv = (content: string) => ({ fileName: 'data.csv', content });
const orderTable = [
  'DROP TABLE IF EXISTS orders',
  'CREATE TABLE orders (id int, country text, amount numeric)',
] as const;
const orders = 'id,country,amount\n1,FR,90\n2,DE,200\n';
const stored = async (services: Services) =>
  (await services.postgres()).query('SELECT id, country, amount::int FROM orders ORDER BY id');
const storedOrders = [
  { id: 1, country: 'FR', amount: 90 },
  { id: 2, country: 'DE', amount: 200 },
];

const block = (text: string, indent: string) => `|\n${text.trimEnd().replace(/^/gm, indent)}`;

/** The SSH server of the test knows keys, and no passwords. */
async function sftpEdits(services: Services, indent = '    ') {
  const { port, username, privateKey } = await services.ssh();
  const key = block(privateKey, `${indent}  `);
  return [
    ['host: sftp.example.com', `host: 127.0.0.1\n${indent}port: "${port}"\n${indent}rootDir: false`],
    [
      /username: (alice|loader)\n( +)password: "\{\{ secret\('SFTP_PASSWORD'\) \}\}"/g,
      `username: ${username}\n$2keyfile: ${key}`,
    ],
  ] as const;
}

let drop = '';
let repository: Repository;
let mongo: MongoStub;

/** Blueprints with servers that Debian has, and with doubles of those that it does not have. */
export const serverCases: Cases = {
  'file-drop-to-database': {
    edits: async (services) => {
      drop = services.folder();
      mkdirSync(join(drop, 'done'));
      writeFileSync(join(drop, 'orders.csv'), orders);
      return [
        ...(await sftpEdits(services)),
        [
          /jdbc:postgresql:\/\/[\w.]+:\d+\/\w+\n( +)username: loader/g,
          `${(await postgresEdits(services))[0][1]}\n$1username: postgres`,
        ],
        ['/orders/done', `${drop}/done`],
        ['from: /orders', `from: ${drop}`],
        ['interval: PT1M', 'interval: PT1S'],
      ];
    },
    before: tables(...orderTable),
    cause: () => {},
    check: async (_, { services }) => {
      expect(await stored(services)).toEqual(storedOrders);
      expect(existsSync(join(drop, 'done', 'orders.csv'))).toBe(true);
    },
  },
  'windows-share-to-database': {
    edits: async (services) => {
      const { port, username, password, folder } = await services.samba();
      for (const name of ['inbox', 'done']) mkdirSync(join(folder, 'share', name));
      writeFileSync(join(folder, 'share', 'inbox', 'orders.csv'), orders);
      return [
        [
          /jdbc:postgresql:\/\/[\w.]+:\d+\/\w+\n( +)username: alice/g,
          `${(await postgresEdits(services))[0][1]}\n$1username: postgres`,
        ],
        ['host: fileserver.example.com', `host: 127.0.0.1\n    port: "${port}"`],
        ['username: alice', `username: ${username}`],
        [`"{{ secret('SMB_PASSWORD') }}"`, password],
        ['/sales/', '/data/'],
        ['interval: PT1M', 'interval: PT1S'],
      ];
    },
    before: tables(...orderTable),
    cause: () => {},
    check: async (_, { services }) => {
      expect(await stored(services)).toEqual(storedOrders);
      expect(existsSync(join((await services.samba()).folder, 'share/done/orders.csv'))).toBe(true);
    },
  },
  'pseudonymize-before-sharing': {
    edits: async (services) => {
      drop = services.folder();
      return [...(await sftpEdits(services)), ['to: /incoming', `to: ${drop}`]];
    },
    inputs: { customers: csv('id,name,email\n1,Ada Lovelace,ada@example.com\n') },
    check: () => {
      const shared = readFileSync(join(drop, 'customers.csv'), 'utf8');
      expect(shared).toMatch(/^id,name,email\n1,.+,.+@.+\n$/);
      expect(shared).not.toContain('Lovelace');
    },
  },
  'encrypt-for-a-partner': {
    edits: async (services) => {
      drop = services.folder();
      const { ours, partners } = pgpKeys(services.folder());
      return [
        ...(await sftpEdits(services)),
        ['to: /incoming', `to: ${drop}`],
        [`"{{ secret('PARTNER_PUBLIC_KEY') }}"`, block(partners, '      ')],
        [`"{{ secret('OUR_PRIVATE_KEY') }}"`, block(ours, '      ')],
      ];
    },
    inputs: { report: csv('a,b\n') },
    check: () => expect(readFileSync(join(drop, 'report.csv.asc'), 'utf8')).toContain('BEGIN PGP MESSAGE'),
  },
  'restart-a-service-over-ssh': {
    edits: async (services) => {
      const { port, username, privateKey } = await services.ssh();
      drop = services.folder();
      // The machine of the test need not have systemd.
      writeFileSync(
        join(drop, 'systemctl'),
        `#!/bin/sh\necho "$@" >> ${drop}/calls\n[ "$1" = restart ] || echo failed\n`,
        {
          mode: 0o755,
        },
      );
      return [
        [/host: "\{\{ vars\.host \}\}"\n( +)/g, `host: 127.0.0.1\n$1port: "${port}"\n$1`],
        ['username: deploy', `username: ${username}`],
        [
          /( +)privateKey: "\{\{ secret\('SSH_KEY'\) \}\}"/g,
          `$1privateKey: ${block(privateKey, '            ')}`,
        ],
        ['systemctl', `${drop}/systemctl`],
      ];
    },
    check: () => expect(readFileSync(join(drop, 'calls'), 'utf8')).toBe('is-active app\nrestart app\n'),
  },
  'people-from-ldap': {
    edits: async (services) => {
      const { port, userDn, password } = await services.ldap();
      return [
        ['hostname: ldap.example.com', 'hostname: 127.0.0.1'],
        ['port: 389', `port: ${port}`],
        ['cn=reader,dc=example,dc=com', userDn],
        [`"{{ secret('LDAP_PASSWORD') }}"`, password],
      ];
    },
    before: async (running) => {
      const { port, userDn, password } = await running.services.ldap();
      await perform(
        running,
        `  - id: entries
    type: core.storage.Write
    extension: .ldif
    content: |
      dn: dc=example,dc=com
      objectClass: dcObject
      objectClass: organization
      dc: example
      o: Example

      dn: ou=people,dc=example,dc=com
      objectClass: organizationalUnit
      ou: people

      dn: cn=Ada,ou=people,dc=example,dc=com
      objectClass: inetOrgPerson
      cn: Ada
      sn: Lovelace
      mail: ada@example.com
  - id: add
    type: ldap.Add
    hostname: 127.0.0.1
    port: ${port}
    userDn: ${userDn}
    password: ${password}
    inputs:
      - "{{ outputs.entries.uri }}"
`,
      );
    },
    check: async (ended) => {
      const [uri] = ended.output('rows').urisList as string[];
      expect(String(await ended.file(uri))).toContain('ada@example.com');
    },
  },
  'mail-a-report': {
    edits: smtpEdits,
    before: ({ services }) =>
      services.internet.on('GET https://example.com/orders.json', { body: [{ id: 1, total: 90 }] }),
    check: async (_, { services }) => {
      const [mail = ''] = (await services.smtp()).received.slice(-1);
      expect(mail).toContain('Subject: Orders of ');
      expect(mail).toContain('orders.csv');
    },
  },
  'mail-to-flow': {
    edits: async (services) => [
      [
        'disabled: true\n    host: imap.example.com',
        `host: localhost\n    port: ${(await services.dovecot()).imaps}\n    trustAllCertificates: true`,
      ],
      [`"{{ secret('MAIL_PASSWORD') }}"`, mailPassword],
    ],
    before: async ({ services }) => {
      services.internet.on(/^POST https:\/\/discord\.example\.com\//, { status: 204 });
      (await services.dovecot()).deliver('flows', 'Subject: earlier\n\nAn old mail.\n');
    },
    repeats: true,
    cause: async ({ services }) => {
      (await services.dovecot()).deliver(
        'flows',
        'From: Ada <ada@example.com>\nTo: flows@example.com\nSubject: A "new" order\nMessage-ID: <1@example.com>\n\nOne mill, please.\n',
      );
    },
    check: (_, { services }) =>
      expect(services.internet.bodiesOf(/discord/)[0]).toMatchObject({
        username: 'Mailbox',
        embeds: [{ title: 'A "new" order' }],
      }),
  },
  'deploy-flows-from-git': {
    edits: async () => {
      repository = await aRepository();
      await repository.commit({
        'flows/hello.yaml':
          'id: hello\nnamespace: company.team\n\ntasks:\n  - id: show\n    type: core.log.Log\n    message: hello\n',
        'scripts/hello.py': 'print("hello")\n',
      });
      return [
        ['https://github.com/acme/flows', repository.url],
        // The test shares the namespace company.team with others, whose flows must stay.
        ['target: company.team', 'target: company.deployed'],
      ];
    },
    check: async (_, { server }) => {
      expect((await server.call('GET', '/flows/company.deployed/hello')).status).toBe(200);
      const file = await server.call('GET', '/namespaces/company.deployed/files?path=/hello.py');
      expect(String(file.body)).toContain('print("hello")');
    },
  },
  'save-everything-to-git': {
    edits: async () => {
      repository = await aRepository();
      return [['https://github.com/acme/everything', repository.url]];
    },
    check: async () => expect((await repository.files()).join('\n')).toContain('save_everything'),
  },
  'run-a-script-from-git': {
    edits: async () => {
      repository = await aRepository();
      await repository.commit({ 'report.py': 'open("report.csv", "w").write("a,b\\n")\n' });
      return [['https://github.com/acme/reports', repository.url]];
    },
    check: async (ended) => {
      const files = ended.output('run').outputFiles as Record<string, string>;
      expect(String(await ended.file(files['report.csv']))).toBe('a,b\n');
    },
  },
  'documents-to-mongodb': {
    edits: async () => {
      mongo = await aMongoStub();
      return [[/uri: "mongodb:[^"]*"/g, `uri: "${mongo.uri}"`]];
    },
    inputs: { orders: { fileName: 'orders.json', content: '[{"id": 1}, {"id": 2}]' } },
    check: () => expect(mongo.documents).toMatchObject([{ id: 1 }, { id: 2 }]),
  },
  'export-elasticsearch-to-parquet': {
    before: ({ services: { internet } }) => {
      const page = (...hits: object[]) => ({
        body: {
          _scroll_id: 's1',
          hits: { total: { value: 1 }, hits: hits.map((_source) => ({ _id: '1', _source })) },
        },
      });
      internet.on('POST https://search.example.com:9200/orders/_search', page({ id: 1, amount: 90.5 }));
      internet.on(/ https:\/\/search\.example\.com:9200\/_search\/scroll$/, page());
    },
    check: async (ended) =>
      expect((await ended.file(ended.output('parquet').uri)).subarray(0, 4).toString()).toBe('PAR1'),
  },
  'sensor-values-to-influxdb': {
    before: ({ services: { internet } }) => {
      internet.on('GET https://sensors.example.com/last-hour.csv', {
        body: 'sensor,celsius,at\nboiler,91.5,2026-11-17T08:00:00Z\n',
      });
      internet.on('POST https://influx.example.com:8086/api/v2/write', { status: 204 });
    },
    check: (_, { services }) =>
      expect(services.internet.received.at(-1)?.text).toMatch(/^temperature,sensor=boiler celsius=91\.5 \d+/),
  },
};
