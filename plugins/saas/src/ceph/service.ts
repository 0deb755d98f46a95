import { dropMissing, isMap, type JsonMap, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

/** The REST API of the dashboard is versioned per endpoint. */
export const accept = (version = '1.0') => ({ accept: `application/vnd.ceph.api.v${version}+json` });

const addressOf = ({ host, port }: { host: string; port: number }): string => {
  const address = /^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `https://${host}`;
  return /:\d+$/.test(address) ? address : `${address}:${port}`;
};

export const ceph = defineService({
  name: 'Ceph',
  prefix: 'ceph',
  properties: {
    host: need.text('The host of the Ceph dashboard, or its address with the scheme.'),
    port: preset.integer(8443, 'The port.'),
    username: may.text('The user of the dashboard.'),
    password: may.secret('The password of the user.'),
    token: may.secret('A token of the dashboard instead of user and password.'),
    skipSsl: preset.flag(false, 'Do not check the certificate.'),
  },
  baseUrl: addressOf,
  headers: () => accept(),
  auth: ({ username, password, token, ...place }) => {
    if (token) return bearer(token);
    if (username === undefined || password === undefined)
      throw new TaskFailed('Give "username" and "password", or "token".', { retry: false });
    const request = { url: `${addressOf(place)}/api/auth`, headers: accept(), body: { username, password } };
    return {
      token: async (ask) => {
        const value = textOf(valueAt(await ask(request), 'token'));
        if (value === undefined) throw new TaskFailed('Ceph did not return a token.', { retry: false });
        return { value };
      },
    };
  },
  isInsecure: ({ skipSsl }) => skipSsl,
  example: { host: 'ceph.example.com', token: "{{ secret('CEPH_TOKEN') }}" },
});

export const name = (text: string) => encodeURIComponent(text);

export const pick = (row: JsonMap, fields: JsonMap): JsonMap =>
  dropMissing(Object.fromEntries(Object.keys(fields).map((field) => [field, row[field]])));

/** Ceph applies some changes after it has responded with 202. */
export const readWhenThere = (
  client: RestClient,
  context: { signal: AbortSignal },
  path: string,
  what: string,
) =>
  waitFor(context, {
    what,
    everyMs: 500,
    atMostMs: 60_000,
    poll: async () => {
      const { status, body } = await client.send({ path, accepts: [404] });
      return status === 404 || !isMap(body) ? undefined : body;
    },
  });

export const poolName = need.text('The pool.');

export const fetchType = preset.fetchType('FETCH', 'rows');
