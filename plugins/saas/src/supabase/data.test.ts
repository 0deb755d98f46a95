import { expect, test } from 'vitest';
import { algoliaTypes } from '../algolia/algolia.ts';
import { confluenceTypes } from '../confluence/confluence.ts';
import { toMarkdown, toStorage } from '../confluence/storageFormat.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { zapierTypes } from '../zapier/zapier.ts';
import { supabaseTypes } from './supabase.ts';

startServices();

const rest = 'https://acme.supabase.co/rest/v1';
const rows = [{ id: 42 }];
const answered = (path: string, code = 200) => ({
  uri: `${rest}${path}`,
  code,
  headers: expect.any(Object),
  rawResponse: JSON.stringify(rows),
});

testCalls(supabaseTypes, {
  headers: { apikey: 'SUPABASE_KEY', authorization: 'Bearer SUPABASE_KEY', 'accept-profile': 'public' },
  cases: [
    {
      type: 'supabase.Select',
      exchanges: [
        { asks: `GET ${rest}/orders?select=id%2Ctotal&paid=is.true&total=gte.10&limit=10`, replies: rows },
      ],
      gives: { ...answered('/orders'), rows, size: 1 },
    },
    {
      type: 'supabase.Insert',
      exchanges: [
        {
          asks: `POST ${rest}/orders?on_conflict=id`,
          sends: { id: 42, total: 9.9 },
          headers: { prefer: 'return=representation,resolution=merge-duplicates' },
          status: 201,
          replies: rows,
        },
      ],
      gives: { ...answered('/orders', 201), insertedRows: rows, insertedCount: 1 },
    },
    {
      type: 'supabase.Update',
      exchanges: [{ asks: `PATCH ${rest}/orders?id=eq.42`, sends: { paid: true }, replies: rows }],
      gives: { ...answered('/orders'), updatedRows: rows, updatedCount: 1 },
    },
    {
      type: 'supabase.Delete',
      exchanges: [{ asks: `DELETE ${rest}/orders?id=eq.42`, replies: rows }],
      gives: { ...answered('/orders'), deletedRows: rows, deletedCount: 1 },
    },
    {
      type: 'supabase.Delete',
      when: 'without a filter',
      with: { filter: ' ' },
      exchanges: [],
      fails: '"filter" must not be empty',
    },
    {
      type: 'supabase.Query',
      exchanges: [{ asks: `POST ${rest}/rpc/top_orders`, sends: { top: 3 }, replies: rows }],
      gives: { ...answered('/rpc/top_orders'), rows, size: 1 },
    },
  ],
});

const index = 'https://app1.algolia.net/1/indexes/products';

testCalls(algoliaTypes, {
  headers: { 'x-algolia-application-id': 'APP1', 'x-algolia-api-key': 'ALGOLIA_KEY' },
  cases: [
    {
      type: 'algolia.Index',
      exchanges: [
        {
          asks: `POST ${index}/batch`,
          sends: { requests: [{ action: 'updateObject', body: { objectID: '1', name: 'Rocket' } }] },
          replies: { taskID: 5, objectIDs: ['1'] },
        },
      ],
      gives: { result: { taskID: 5, objectIDs: ['1'] } },
    },
    {
      type: 'algolia.Delete',
      exchanges: [
        {
          asks: `POST ${index}/batch`,
          sends: { requests: [{ action: 'deleteObject', body: { objectID: '1' } }] },
          replies: { taskID: 6, objectIDs: ['1'] },
        },
      ],
      gives: { objectIds: ['1'] },
    },
    {
      type: 'algolia.Search',
      exchanges: [
        {
          asks: `POST ${index}/query`,
          sends: { query: 'rocket', hitsPerPage: 5 },
          replies: { nbHits: 1, hits: [{ objectID: '1' }] },
        },
      ],
      gives: { nbHits: 1, hits: [{ objectID: '1' }] },
    },
  ],
});

const pages = 'https://acme.atlassian.net/wiki/api/v2/pages';
const page = { id: '131073', title: 'Daily report' };

testCalls(confluenceTypes, {
  headers: { authorization: `Basic ${Buffer.from('ada@example.com:CONFLUENCE_TOKEN').toString('base64')}` },
  cases: [
    {
      type: 'confluence.pages.Create',
      with: { makePrivate: true },
      exchanges: [
        {
          asks: `POST ${pages}?private=true`,
          sends: {
            spaceId: '98306',
            title: 'Daily report',
            body: { representation: 'storage', value: '<h1>Orders</h1><ul><li>42 new ones</li></ul>' },
          },
          replies: page,
        },
      ],
      gives: { value: JSON.stringify(page) },
    },
    {
      type: 'confluence.pages.Update',
      exchanges: [
        {
          asks: `PUT ${pages}/131073`,
          sends: {
            id: '131073',
            status: 'current',
            title: 'Daily report',
            body: { representation: 'storage', value: '<p>43 new ones</p>' },
            version: { number: 2 },
          },
          status: 409,
          replies: { errors: [{ status: 409, title: 'Version must be incremented' }] },
        },
      ],
      fails: 'Version must be incremented',
    },
    {
      type: 'confluence.pages.List',
      exchanges: [
        {
          asks: `GET ${pages}?space-id=98306&status=current%2Carchived&title=Daily%20report&limit=25&body-format=storage`,
          replies: {
            results: [{ ...page, version: { number: 1 }, body: { storage: { value: '<p>a</p>' } } }],
          },
        },
      ],
      gives: {
        children: [
          {
            title: 'Daily report',
            markdown: 'a',
            versionInfo: { number: 1 },
            rawResponse: { ...page, version: { number: 1 }, body: { storage: { value: '<p>a</p>' } } },
          },
        ],
      },
    },
  ],
});

test('Markdown survives the storage format', () => {
  const markdown =
    '# One\ntext with **bold**, *italic*, `a < b` and [a link](https://x.example)\n- item\n1. first\n> said\n---\n```\nSELECT 1\n```';
  expect(toMarkdown(toStorage(markdown))).toBe(markdown);
});

testCalls(zapierTypes, {
  headers: {},
  cases: [
    {
      type: 'zapier.TriggerZap',
      with: { url: 'https://hooks.zapier.com/hooks/catch/1/abc/', headers: { 'X-Team': 'data' } },
      exchanges: [
        {
          asks: 'POST https://hooks.zapier.com/hooks/catch/1/abc/',
          sends: { order: 42 },
          headers: { 'x-team': 'data' },
          replies: { status: 'success', attempt: 'a1' },
        },
      ],
      gives: { status: 200, body: '{"status":"success","attempt":"a1"}', attemptId: 'a1' },
    },
    {
      type: 'zapier.TriggerZap',
      when: 'with GET, and a failure that is allowed',
      with: { url: 'https://hooks.zapier.com/x/', method: 'GET', allowFailed: true },
      exchanges: [{ asks: 'GET https://hooks.zapier.com/x/?order=42', status: 410, replies: 'gone' }],
      gives: { status: 410, body: 'gone' },
    },
  ],
});
