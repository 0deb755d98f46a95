import { choice, defineTask, integer, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, withLdap } from './client.ts';
import { ldapExample } from './example.ts';
import { writeRecord } from './ldif.ts';

const scopes = { BASE: 'base', ONE: 'one', SUB: 'sub', SUBORDINATE_SUBTREE: 'children' } as const;

export const search = defineTask({
  type: 'ldap.Search',
  title: 'Search an LDAP directory',
  description: 'Stores the entries that match as an LDIF file.',
  input: () =>
    z.object({
      ...connectionProperties,
      filter: text().default('(objectclass=*)').describe('The filter.'),
      attributes: listOf(text())
        .default(['*'])
        .describe('Which attributes; `*` are all of the user, `+` those of the server.'),
      baseDn: text().default('ou=system').describe('Where the search begins.'),
      sub: choice(['BASE', 'ONE', 'SUB', 'SUBORDINATE_SUBTREE'])
        .default('SUB')
        .describe('How deep: only the entry, one level, everything, or everything below.'),
      sizeLimit: integer({ min: 0 }).optional().describe('The most entries.'),
      pageSize: integer({ min: 1 }).optional().describe('How many entries are fetched at once.'),
    }),
  output: () => z.object({ uri: z.string().describe('The LDIF file.') }),
  metrics: [
    { name: 'entries.found', type: 'counter', description: 'How many entries were found.' },
    { name: 'search.mean.time', type: 'timer', description: 'How long the search took.' },
  ],
  sideEffects: true,
  examples: [
    ldapExample('Search', 'Find people.', ['baseDn: ou=people,dc=example,dc=com', 'filter: (mail=*)']),
  ],
  run: (context, { filter, attributes, baseDn, sub, sizeLimit, pageSize, ...connection }) =>
    withLdap(context, connection, async (client) => {
      const start = performance.now();
      const options = {
        filter,
        scope: scopes[sub],
        attributes: attributes.map((name) => (name === 'ALL_USER_ATTRIBUTES' ? '*' : name)),
        ...(sizeLimit !== undefined && { sizeLimit }),
      };
      let found = 0;
      const records = async function* () {
        // Pages keep a large directory out of memory, but not every server has them.
        const pages =
          pageSize === undefined
            ? [await client.search(baseDn, options)]
            : client.searchPaginated(baseDn, { ...options, paged: { pageSize } });
        for await (const { searchEntries } of pages) {
          for (const { dn, ...values } of searchEntries) {
            const entries = Object.entries(values).map(
              ([name, value]) => [name, [value].flat().map(String)] as const,
            );
            const filled = entries.filter(([, list]) => list.length > 0);
            found += 1;
            yield Buffer.from(writeRecord({ dn, attributes: Object.fromEntries(filled) }));
          }
        }
      };
      const uri = await context.files.put('entries.ldif', records());
      context.metric({ name: 'entries.found', type: 'counter', value: found });
      context.metric({
        name: 'search.mean.time',
        type: 'timer',
        value: Math.round(performance.now() - start),
      });
      return { uri };
    }),
});
