import { type JsonMap, mapIn, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { type OutputFields, out } from '../rest/outputs.ts';
import { need, type Properties, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

export const digitalocean = defineService({
  name: 'DigitalOcean',
  prefix: 'digitalocean',
  properties: {
    apiToken: need.secret('An API token.'),
    baseUrl: preset.text('https://api.digitalocean.com', 'The address of the API.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => `${baseUrl.replace(/\/+$/, '')}/v2`,
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('DIGITALOCEAN_TOKEN') }}" },
});

/** A kind of resource: its path and its outputs. */
export interface Resource {
  /** The first part of its types. */
  readonly type: string;
  readonly singular: string;
  readonly plural: string;
  /** The path of the collection; `{name}` is a property. */
  readonly path: string;
  /** The keys of a single resource and of the list in a response. */
  readonly key: string;
  readonly listKey: string;
  readonly idProperty: string;
  readonly parents?: Properties;
  readonly output: OutputFields;
  readonly example: JsonMap;
}

/** The calls that all resources have: get, delete and list. */
export function commonCalls(resource: Resource) {
  const { type, singular, plural, path, key, listKey, idProperty, parents = {}, output, example } = resource;
  const id = {
    ...parents,
    [idProperty]: need.text(`The ${idProperty === 'name' ? 'name' : 'id'} of the ${singular}.`),
  };
  return [
    digitalocean.task({
      type: `${type}.Get`,
      title: `Get a ${singular} of DigitalOcean`,
      description: `Reads one ${singular}.`,
      properties: id,
      request: `GET ${path}/{${idProperty}}` as const,
      output: inside(key, output),
      example,
    }),
    digitalocean.task({
      type: `${type}.Delete`,
      title: `Delete a ${singular} of DigitalOcean`,
      description: `Deletes one ${singular}.`,
      properties: id,
      request: `DELETE ${path}/{${idProperty}}` as const,
      example,
    }),
    digitalocean.task({
      type: `${type}.List`,
      title: `List the ${plural} of DigitalOcean`,
      description: `Lists all ${plural}, page by page.`,
      properties: { ...parents, perPage: preset.integer(200, 'The size of a page, at most 200.') },
      request: `GET ${path}` as const,
      query: { per_page: 'perPage' },
      rows: { at: listKey, paging: { kind: 'nextUrl', at: 'links.pages.next' } },
      output: { total: out.integer('How many there are in all.', 'meta.total') },
      example: Object.fromEntries(Object.entries(example).filter(([name]) => name in parents)),
    }),
  ];
}

/** Outputs nested under a key of the response. */
export const inside = (key: string, output: OutputFields): OutputFields =>
  Object.fromEntries(
    Object.entries(output).map(([name, one]) => [name, { ...one, from: `${key}.${one.from ?? name}` }]),
  );

/** The first public address of a droplet. */
export const publicAddress = (droplet: unknown): string | undefined => {
  const addresses = mapIn(mapIn(droplet).networks).v4;
  const found = (Array.isArray(addresses) ? addresses : []).map(mapIn).find((one) => one.type === 'public');
  return textOf(found?.ip_address);
};
