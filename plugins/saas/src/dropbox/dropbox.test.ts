import { startServices, testCalls } from '../testing/exchange.ts';
import { dropboxTypes } from './dropbox.ts';

startServices();

const api = 'https://api.dropboxapi.com/2/files';
const content = 'https://content.dropboxapi.com/2/files';
const entry = { '.tag': 'file', name: 'a.csv', id: 'id:1', path_display: '/reports/a.csv', size: 3 };
const shown = { type: 'file', name: 'a.csv', id: 'id:1', path: '/reports/a.csv', size: 3 };

testCalls(dropboxTypes, {
  headers: { authorization: 'Bearer DROPBOX_TOKEN' },
  cases: [
    {
      type: 'dropbox.files.Copy',
      exchanges: [
        {
          asks: `POST ${api}/copy_v2`,
          sends: { from_path: '/reports/a.csv', to_path: '/archive/a.csv', autorename: false },
          replies: { metadata: entry },
        },
      ],
      gives: { file: shown },
    },
    {
      type: 'dropbox.files.Move',
      exchanges: [
        {
          asks: `POST ${api}/move_v2`,
          sends: {
            from_path: '/inbox/a.csv',
            to_path: '/done/a.csv',
            autorename: false,
            allow_ownership_transfer: false,
          },
          status: 409,
          replies: { error_summary: 'from_lookup/not_found/..', error: { '.tag': 'from_lookup' } },
        },
      ],
      fails: 'from_lookup/not_found/..',
    },
    {
      type: 'dropbox.files.CreateFolder',
      exchanges: [
        {
          asks: `POST ${api}/create_folder_v2`,
          sends: { path: '/reports', autorename: false },
          replies: { metadata: { name: 'reports', id: 'id:2', path_display: '/reports' } },
        },
      ],
      gives: { file: { type: 'folder', name: 'reports', id: 'id:2', path: '/reports' } },
    },
    {
      type: 'dropbox.files.Delete',
      exchanges: [
        { asks: `POST ${api}/delete_v2`, sends: { path: '/reports/a.csv' }, replies: { metadata: entry } },
      ],
      gives: { file: shown },
    },
    {
      type: 'dropbox.files.GetMetadata',
      exchanges: [
        {
          asks: `POST ${api}/get_metadata`,
          sends: { path: '/reports/a.csv', include_media_info: false },
          replies: entry,
        },
      ],
      gives: { file: shown },
    },
    {
      type: 'dropbox.files.List',
      exchanges: [
        {
          asks: `POST ${api}/list_folder`,
          sends: { path: '/reports', recursive: false, limit: 2000 },
          replies: { entries: [entry], has_more: true, cursor: 'c' },
        },
        {
          asks: `POST ${api}/list_folder/continue`,
          sends: { cursor: 'c' },
          replies: { entries: [entry], has_more: false },
        },
      ],
      gives: { rows: [shown, shown], size: 2 },
      metrics: { 'files.count': 2 },
    },
    {
      type: 'dropbox.files.Search',
      exchanges: [
        {
          asks: `POST ${api}/search_v2`,
          sends: { query: 'invoice', options: { path: '/reports', max_results: 20 } },
          replies: { matches: [{ metadata: { metadata: entry } }], has_more: false },
        },
      ],
      gives: { rows: [shown], size: 1 },
    },
    {
      type: 'dropbox.files.Download',
      with: { from: '/Ü.csv' },
      exchanges: [
        {
          asks: `POST ${content}/download`,
          headers: { 'dropbox-api-arg': '{"path":"/\\u00dc.csv"}' },
          replies: 'a,b',
          replyHeaders: { 'dropbox-api-result': '{"name":"U.csv"}' },
        },
      ],
      gives: { metadata: { name: 'U.csv' } },
      stores: { uri: 'a,b' },
    },
    {
      type: 'dropbox.files.Upload',
      files: { file: 'a,b' },
      exchanges: [
        {
          asks: `POST ${content}/upload`,
          sends: 'a,b',
          headers: {
            'content-type': 'application/octet-stream',
            'dropbox-api-arg': '{"path":"/reports/a.csv","mode":"overwrite","autorename":false}',
          },
          replies: entry,
        },
      ],
      gives: { metadata: entry },
    },
  ],
});
