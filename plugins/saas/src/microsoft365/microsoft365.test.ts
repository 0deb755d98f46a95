import { runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { aServiceContext, expectExchanges, startServices, testCalls } from '../testing/exchange.ts';
import { oneshareTypes } from './oneshare.ts';
import { sharepointTypes } from './sharepoint.ts';

startServices();

const graph = 'https://graph.microsoft.com/v1.0';
const drive = `${graph}/drives/b!drive1`;
const site = `${graph}/sites/acme.sharepoint.com%2C1%2C2/drive`;
const token = { access_token: 'token1', expires_in: 3600 };
const login = {
  asks: 'POST https://login.microsoftonline.com/AZURE_TENANT_ID/oauth2/v2.0/token',
  sends: {
    grant_type: 'client_credentials',
    client_id: 'AZURE_CLIENT_ID',
    client_secret: 'AZURE_CLIENT_SECRET',
    scope: 'https://graph.microsoft.com/.default',
  },
  headers: { authorization: undefined },
  replies: token,
};
const headers = { authorization: 'Bearer token1' };
const item = {
  id: 'i1',
  name: 'a.txt',
  file: { mimeType: 'text/plain' },
  size: 5,
  webUrl: 'https://x/a.txt',
};
const shown = {
  id: 'i1',
  name: 'a.txt',
  mimeType: 'text/plain',
  size: 5,
  webUrl: 'https://x/a.txt',
  isFolder: false,
};
const refused = { error: { code: 'itemNotFound', message: 'The resource could not be found.' } };

testCalls(oneshareTypes, {
  headers,
  login,
  cases: [
    {
      type: 'microsoft365.oneshare.Create',
      exchanges: [{ asks: `PUT ${drive}/root:/hello.txt:/content`, sends: 'Hello', replies: item }],
      gives: { file: shown },
    },
    {
      type: 'microsoft365.oneshare.Create',
      when: 'as a folder',
      with: { itemType: 'FOLDER', parentId: '01P', name: 'Reports' },
      exchanges: [
        {
          asks: `POST ${drive}/items/01P/children`,
          sends: { name: 'Reports', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
          replies: { id: 'f1', name: 'Reports', folder: { childCount: 0 } },
        },
      ],
      gives: { file: { id: 'f1', name: 'Reports', isFolder: true } },
    },
    {
      type: 'microsoft365.oneshare.Delete',
      exchanges: [{ asks: `DELETE ${drive}/items/01ITEM`, status: 204 }],
    },
    {
      type: 'microsoft365.oneshare.Download',
      exchanges: [{ asks: `GET ${drive}/items/01ITEM/content`, replies: 'hello' }],
      stores: { uri: 'hello' },
    },
    {
      type: 'microsoft365.oneshare.Download',
      when: 'of a missing item fails in the words of Microsoft',
      exchanges: [{ asks: `GET ${drive}/items/01ITEM/content`, status: 404, replies: refused }],
      fails: 'The resource could not be found.',
    },
    {
      type: 'microsoft365.oneshare.Export',
      exchanges: [{ asks: `GET ${drive}/items/01ITEM/content?format=pdf`, replies: '%PDF' }],
      stores: { uri: '%PDF' },
    },
    {
      type: 'microsoft365.oneshare.List',
      exchanges: [
        {
          asks: `GET ${drive}/root/children`,
          replies: { value: [item], '@odata.nextLink': `${graph}/next?p=2` },
        },
        { asks: `GET ${graph}/next?p=2`, replies: { value: [item] } },
      ],
      gives: { files: [shown, shown], count: 2 },
    },
    {
      type: 'microsoft365.oneshare.Upload',
      files: { file: 'a,b' },
      exchanges: [
        {
          asks: `PUT ${drive}/root:/report.csv:/content?%40microsoft.graph.conflictBehavior=replace`,
          sends: 'a,b',
          headers: { 'content-length': '3', 'content-type': 'application/octet-stream' },
          replies: item,
        },
      ],
      gives: { file: shown },
      metrics: { 'file.size': 3, 'upload.progress.percentage': 100 },
    },
    {
      type: 'microsoft365.oneshare.Upload',
      when: 'of a large file in slices',
      with: { largeFileThreshold: 10, maxSliceSize: 1 },
      files: { file: 'x'.repeat(400_000) },
      exchanges: [
        {
          asks: `POST ${drive}/root:/report.csv:/createUploadSession`,
          sends: { item: { '@microsoft.graph.conflictBehavior': 'replace' } },
          replies: { uploadUrl: 'https://upload.example.com/session1' },
        },
        {
          asks: 'PUT https://upload.example.com/session1',
          sends: 'x'.repeat(327_680),
          headers: { authorization: undefined, 'content-range': 'bytes 0-327679/400000' },
          status: 202,
          replies: { nextExpectedRanges: ['327680-'] },
        },
        {
          asks: 'PUT https://upload.example.com/session1',
          sends: 'x'.repeat(72_320),
          headers: { authorization: undefined, 'content-range': 'bytes 327680-399999/400000' },
          status: 201,
          replies: item,
        },
      ],
      gives: { file: shown },
    },
  ],
});

test('microsoft365.oneshare.Trigger starts for new files only', async () => {
  const trigger = oneshareTypes.at(-1);
  if (trigger?.kind !== 'trigger' || !trigger.poll) throw new Error('No trigger');
  const context = aServiceContext();
  const properties = {
    tenantId: 't',
    clientId: 'c',
    clientSecret: 's',
    siteId: 'site1',
    path: '/Monthly Reports',
  };
  const poll = () => trigger.poll?.(context, trigger.input.parse(properties));
  const answer = (...files: object[]) =>
    expectExchanges([
      { asks: '', replies: token },
      { asks: '', replies: { value: [{ id: 'f', folder: {} }, ...files] } },
    ]);
  const { received } = answer({ ...item, cTag: '1' });
  expect(await poll()).toEqual({ files: [shown], count: 1 });
  expect(received[1]?.asks).toBe(`GET ${graph}/sites/site1/drive/root:/Monthly%20Reports:/children`);
  answer({ ...item, cTag: '2' });
  expect(await poll()).toBeUndefined();
});

testCalls(sharepointTypes, {
  headers,
  login,
  cases: [
    {
      type: 'microsoft365.sharepoint.Create',
      exchanges: [
        {
          asks: `POST ${site}/root/children`,
          sends: { name: 'Reports', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
          replies: { id: 'f1', name: 'Reports', webUrl: 'https://x/Reports' },
        },
      ],
      gives: { itemId: 'f1', itemName: 'Reports', webUrl: 'https://x/Reports' },
    },
    {
      type: 'microsoft365.sharepoint.Delete',
      with: { driveId: 'd1' },
      exchanges: [{ asks: `DELETE ${site}s/d1/items/01ITEM`, status: 204 }],
      gives: { itemId: '01ITEM' },
    },
    {
      type: 'microsoft365.sharepoint.Download',
      exchanges: [
        { asks: `GET ${site}/root:/Reports/2026.docx`, replies: item },
        { asks: `GET ${site}/items/i1/content`, replies: 'hello' },
      ],
      gives: { itemId: 'i1', name: 'a.txt', size: 5, webUrl: 'https://x/a.txt' },
      stores: { uri: 'hello' },
    },
    {
      type: 'microsoft365.sharepoint.Export',
      exchanges: [
        { asks: `GET ${site}/root:/Reports/2026.docx`, replies: item },
        { asks: `GET ${site}/items/i1/content?format=pdf`, replies: '%PDF' },
      ],
      gives: {
        itemId: 'i1',
        originalName: 'a.txt',
        name: 'a.pdf',
        originalSize: 5,
        webUrl: 'https://x/a.txt',
        format: 'PDF',
      },
      stores: { uri: '%PDF' },
    },
    {
      type: 'microsoft365.sharepoint.List',
      exchanges: [{ asks: `GET ${site}/root/children`, replies: { value: [item] } }],
      gives: {
        items: [
          { id: 'i1', name: 'a.txt', size: 5, webUrl: 'https://x/a.txt', isFolder: false, isFile: true },
        ],
        size: 1,
      },
      metrics: { count: 1 },
    },
    {
      type: 'microsoft365.sharepoint.Move',
      exchanges: [
        {
          asks: `PATCH ${site}/items/01ITEM`,
          sends: { parentReference: { id: '01FOLDER' }, name: 'final.docx' },
          replies: { id: 'i1', name: 'final.docx', parentReference: { id: '01FOLDER' }, webUrl: 'https://x' },
        },
      ],
      gives: { itemId: 'i1', itemName: 'final.docx', parentId: '01FOLDER', webUrl: 'https://x' },
    },
    {
      type: 'microsoft365.sharepoint.Upload',
      files: { file: 'a,b' },
      exchanges: [
        {
          asks: `PUT ${site}/root:/report.csv:/content?%40microsoft.graph.conflictBehavior=fail`,
          sends: 'a,b',
          replies: item,
        },
      ],
      gives: { itemId: 'i1', name: 'a.txt', webUrl: 'https://x/a.txt', size: 5 },
    },
  ],
});

test('a login without a secret and without a certificate says what is missing', async () => {
  const [task] = oneshareTypes;
  if (task?.kind !== 'task') throw new Error('No task');
  const run = runType(task, { tenantId: 't', clientId: 'c', driveId: 'd', name: 'x' }, aServiceContext());
  await expect(run).rejects.toThrow('"clientSecret" or "pemCertificate" must be given.');
});
