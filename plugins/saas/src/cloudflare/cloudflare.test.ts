import { startServices, testCalls } from '../testing/exchange.ts';
import { cloudflareTypes } from './cloudflare.ts';

startServices();

const api = 'https://api.cloudflare.com/client/v4';
const records = `${api}/zones/z1/dns_records`;
const rules = `${api}/zones/z1/firewall/access_rules/rules`;
const record = { id: 'r1', name: 'www.example.com', type: 'A', content: '192.0.2.1', ttl: 1, proxied: false };
const { id: recordId, ...fields } = record;
const wanted = { type: 'A', name: 'www.example.com', content: '192.0.2.1', ttl: 1, proxied: false };
const find = `GET ${records}?type=A&name=www.example.com`;
const rule = { id: 'rule1', mode: 'block', configuration: { target: 'ip', value: '198.51.100.4' } };

testCalls(cloudflareTypes, {
  headers: { authorization: 'Bearer CLOUDFLARE_TOKEN' },
  cases: [
    {
      type: 'cloudflare.cache.Purge',
      exchanges: [
        {
          asks: `POST ${api}/zones/z1/purge_cache`,
          sends: { files: ['https://example.com/style.css'] },
          replies: { success: true, result: { id: 'p1' } },
        },
      ],
      gives: { requestId: 'p1' },
    },
    {
      type: 'cloudflare.cache.Purge',
      when: 'of everything, refused in the words of Cloudflare',
      with: { purgeAll: true },
      exchanges: [
        {
          asks: `POST ${api}/zones/z1/purge_cache`,
          sends: { purge_everything: true },
          status: 403,
          replies: { success: false, errors: [{ code: 10000, message: 'Authentication error' }] },
        },
      ],
      fails: 'Authentication error Check the credentials',
    },
    {
      type: 'cloudflare.dns.records.Create',
      exchanges: [{ asks: `POST ${records}`, sends: wanted, replies: { result: record } }],
      gives: { recordId, ...fields },
    },
    {
      type: 'cloudflare.dns.records.Get',
      exchanges: [{ asks: `GET ${records}/r1`, replies: { result: record } }],
      gives: { recordId, ...fields },
    },
    {
      type: 'cloudflare.dns.records.Delete',
      exchanges: [{ asks: `DELETE ${records}/r1`, replies: { result: { id: 'r1' } } }],
      gives: { deletedId: 'r1' },
    },
    {
      type: 'cloudflare.dns.records.Update',
      exchanges: [
        { asks: `PATCH ${records}/r1`, sends: { content: '192.0.2.2' }, replies: { result: record } },
      ],
      gives: { id: 'r1' },
    },
    {
      type: 'cloudflare.dns.records.Upsert',
      when: 'of a new record',
      exchanges: [
        { asks: find, replies: { result: [] } },
        { asks: `POST ${records}`, sends: wanted, replies: { result: record } },
      ],
      gives: { recordId, ...fields, action: 'created' },
    },
    {
      type: 'cloudflare.dns.records.Upsert',
      when: 'of a record with another value',
      exchanges: [
        { asks: find, replies: { result: [{ ...record, content: '192.0.2.9' }] } },
        { asks: `PUT ${records}/r1`, sends: wanted, replies: { result: record } },
      ],
      gives: { recordId, ...fields, action: 'updated' },
    },
    {
      type: 'cloudflare.dns.records.Upsert',
      when: 'of a record that is right already',
      exchanges: [{ asks: find, replies: { result: [record] } }],
      gives: { recordId, ...fields, action: 'unchanged' },
    },
    {
      type: 'cloudflare.dns.records.Batch',
      exchanges: [
        {
          asks: `POST ${records}/batch`,
          sends: {
            posts: [{ type: 'A', name: 'a.example.com', content: '192.0.2.1' }],
            deletes: [{ id: 'r1' }],
          },
          replies: { success: true },
        },
      ],
      gives: { success: true },
    },
    {
      type: 'cloudflare.dns.records.List',
      exchanges: [
        { asks: `GET ${records}?page=1&per_page=50`, replies: { result: [{ ...record, meta: {} }] } },
      ],
      gives: { records: [record] },
    },
    {
      type: 'cloudflare.waf.Create',
      exchanges: [
        {
          asks: `POST ${rules}`,
          sends: { mode: 'block', configuration: { target: 'ip', value: '198.51.100.4' } },
          replies: { result: rule },
        },
      ],
      gives: { ruleId: 'rule1', mode: 'block', target: 'ip', value: '198.51.100.4' },
    },
    {
      type: 'cloudflare.waf.Delete',
      exchanges: [{ asks: `DELETE ${rules}/rule1`, replies: { result: { id: 'rule1' } } }],
      gives: { ruleId: 'rule1', deleted: true },
    },
    {
      type: 'cloudflare.waf.List',
      exchanges: [{ asks: `GET ${rules}?page=1&per_page=50`, replies: { result: [rule] } }],
      gives: { rules: [rule] },
    },
    {
      type: 'cloudflare.zones.Get',
      exchanges: [
        {
          asks: `GET ${api}/zones?name=example.com`,
          replies: { result: [{ id: 'z1', name: 'example.com', status: 'active' }] },
        },
      ],
      gives: { id: 'z1', name: 'example.com', status: 'active' },
    },
    {
      type: 'cloudflare.zones.List',
      exchanges: [
        {
          asks: `GET ${api}/zones?page=1&per_page=50`,
          replies: { result: [{ id: 'z1', name: 'example.com' }] },
        },
      ],
      gives: { zones: [{ id: 'z1', name: 'example.com' }] },
    },
  ],
});
