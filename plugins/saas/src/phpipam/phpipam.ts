import {
  type Candidate,
  dropMissing,
  fetchRows,
  type JsonMap,
  mapsIn,
  openTriggerState,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { basic } from '../rest/auth.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, type Properties, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const phpipam = defineService({
  name: 'phpIPAM',
  prefix: 'phpipam.ipam',
  properties: {
    baseUrl: need.text('The address of phpIPAM.'),
    appId: need.text('The id of the API application.'),
    auth: need.secretMap('The login: `appToken`, or `username` and `password`.'),
    insecureTls: preset.flag(false, 'Do not check the certificate.'),
  },
  baseUrl: ({ baseUrl, appId }) => `${baseUrl.replace(/\/+$/, '')}/api/${encodeURIComponent(appId)}`,
  auth: ({ baseUrl, appId, auth }) => {
    const token = textOf(auth.appToken);
    if (token) return { headers: { token } };
    const url = `${baseUrl.replace(/\/+$/, '')}/api/${encodeURIComponent(appId)}/user/`;
    const headers = basic(textOf(auth.username) ?? '', textOf(auth.password) ?? '').headers ?? {};
    return {
      token: async (ask) => {
        const value = textOf(valueAt(await ask({ url, headers }), 'data.token'));
        if (value === undefined) throw new TaskFailed('phpIPAM did not return a token.', { retry: false });
        return { value };
      },
      withToken: (value) => ({ token: value }),
    };
  },
  isInsecure: ({ insecureTls }) => insecureTls,
  example: {
    baseUrl: 'https://ipam.example.com',
    appId: 'millrace',
    auth: { appToken: "{{ secret('IPAM_TOKEN') }}" },
  },
});

const description = may.text('A description.');
const fetchType = preset.fetchType('FETCH', 'rows');

interface Kind {
  readonly type: string;
  readonly plural: string;
  /** The controller of the API. */
  readonly path: string;
  readonly idProperty: string;
  readonly create: Properties;
  readonly update: Properties;
  /** The property of the parent, and the path of the list below it. */
  readonly parent?: { readonly property: string; readonly path: (id: string) => string };
  readonly example: JsonMap;
}

/** The fields of an object; the property `resourceDescription` is its description. */
const fieldsOf = (input: JsonMap, properties: Properties): JsonMap =>
  dropMissing(
    Object.fromEntries(
      Object.keys(properties).map((name) => [
        name === 'resourceDescription' ? 'description' : name,
        input[name],
      ]),
    ),
  );

/** The calls that all kinds of objects have. */
function callsOf({ type, plural, path, idProperty, create, update, parent, example }: Kind) {
  const id = { [idProperty]: need.text(`The id of the ${type}.`) };
  const idOf = (input: JsonMap) => encodeURIComponent(String(input[idProperty]));
  const parents: Properties = parent
    ? { [parent.property]: need.text('The id of what they belong to.') }
    : {};
  return [
    phpipam.task({
      type: `${type}.Create`,
      title: `Create a ${type} in phpIPAM`,
      description: `Creates a ${type}.`,
      properties: create,
      request: `POST ${path}/` as const,
      body: (input) => fieldsOf({ ...input }, create),
      output: { id: out.text(`The id of the ${type}.`) },
      example,
    }),
    phpipam.task({
      type: `${type}.Get`,
      title: `Get a ${type} of phpIPAM`,
      description: `Reads one ${type}.`,
      properties: id,
      request: `GET ${path}/{${idProperty}}/` as const,
      output: { [type]: out.map(`The ${type}.`, 'data') },
      example: { [idProperty]: '5' },
    }),
    phpipam.task({
      type: `${type}.Update`,
      title: `Update a ${type} of phpIPAM`,
      description: `Changes the given fields of a ${type}.`,
      properties: { ...id, ...update },
      request: (input) => `PATCH ${path}/${idOf({ ...input })}/`,
      body: (input) => fieldsOf({ ...input }, update),
      example: { [idProperty]: '5', resourceDescription: 'changed' },
    }),
    phpipam.task({
      type: `${type}.Delete`,
      title: `Delete a ${type} of phpIPAM`,
      description: `Deletes a ${type}.`,
      properties: id,
      request: `DELETE ${path}/{${idProperty}}/` as const,
      example: { [idProperty]: '5' },
    }),
    phpipam.task({
      type: `${type}.List`,
      title: `List the ${plural} of phpIPAM`,
      description: `Lists ${plural}.`,
      properties: { ...parents, fetchType },
      output: {
        [plural]: out.maps(`The ${plural}, with \`FETCH\`.`),
        [type]: out.map('The first, with `FETCH_ONE`.'),
        uri: out.text('A file with one a line, with `STORE`.'),
        total: out.integer('How many there are.'),
      },
      run: async (client, input, context) => {
        const given: JsonMap = { ...input };
        const below = parent?.path(encodeURIComponent(String(given[parent.property])));
        // phpIPAM responds with 404 when a list is empty.
        const { body } = await client.send({ path: `${below ?? path}/`, accepts: [404] });
        const rows = mapsIn(valueAt(body, 'data')).map((row) => ({ ...row }));
        const fetched = await fetchRows(context, input.fetchType, rows);
        return { [plural]: fetched.rows, [type]: fetched.row, uri: fetched.uri, total: fetched.size };
      },
      example: parent ? { [parent.property]: '3' } : {},
    }),
  ];
}

const hostname = may.text('The host name.');
const owner = may.text('The owner.');
const vlanId = may.text('The id of the VLAN.');
const vrfId = may.text('The id of the VRF.');

const addresses = callsOf({
  type: 'address',
  plural: 'addresses',
  path: '/addresses',
  idProperty: 'addressId',
  create: {
    subnetId: need.text('The id of the subnet.'),
    ip: need.text('The IP address.'),
    hostname,
    resourceDescription: description,
    owner,
  },
  update: { hostname, resourceDescription: description, owner },
  parent: { property: 'subnetId', path: (id) => `/subnets/${id}/addresses` },
  example: { subnetId: '3', ip: '10.0.0.5', hostname: 'db1' },
});

const sections = callsOf({
  type: 'section',
  plural: 'sections',
  path: '/sections',
  idProperty: 'sectionId',
  create: {
    name: need.text('The name.'),
    resourceDescription: description,
    masterSection: may.text('The id of the section above.'),
  },
  update: { name: may.text('The name.'), resourceDescription: description },
  example: { name: 'Customers' },
});

const subnets = callsOf({
  type: 'subnet',
  plural: 'subnets',
  path: '/subnets',
  idProperty: 'subnetId',
  create: {
    subnet: need.text('The address of the subnet.'),
    mask: need.text('The number of bits of the mask.'),
    sectionId: need.text('The id of the section.'),
    resourceDescription: description,
    vlanId,
    vrfId,
  },
  update: { resourceDescription: description, vlanId, vrfId },
  parent: { property: 'sectionId', path: (id) => `/sections/${id}/subnets` },
  example: { subnet: '10.0.0.0', mask: '24', sectionId: '1' },
});

const vlans = callsOf({
  type: 'vlan',
  plural: 'vlans',
  path: '/vlan',
  idProperty: 'vlanId',
  create: {
    name: need.text('The name.'),
    number: need.text('The number.'),
    resourceDescription: description,
  },
  update: { name: may.text('The name.'), resourceDescription: description },
  example: { name: 'office', number: '42' },
});

const vrfs = callsOf({
  type: 'vrf',
  plural: 'vrfs',
  path: '/vrf',
  idProperty: 'vrfId',
  create: {
    name: need.text('The name.'),
    rd: may.text('The route distinguisher.'),
    resourceDescription: description,
  },
  update: {
    name: may.text('The name.'),
    rd: may.text('The route distinguisher.'),
    resourceDescription: description,
  },
  example: { name: 'blue', rd: '65000:1' },
});

const firstAddress = phpipam.task({
  type: 'address.FirstFree',
  title: 'Get the first free address of a subnet of phpIPAM',
  description: 'Reads the first free address. It is not reserved.',
  properties: { subnetId: need.text('The id of the subnet.') },
  request: 'GET /addresses/first_free/{subnetId}/',
  output: { ip: out.text('The address.', 'data') },
  example: { subnetId: '3' },
});

const firstSubnet = phpipam.task({
  type: 'subnet.FirstFree',
  title: 'Get the first free subnet of a subnet of phpIPAM',
  description: 'Reads the first free subnet of a size. It is not reserved.',
  properties: {
    subnetId: need.text('The id of the subnet above.'),
    mask: need.text('The number of bits of the mask.'),
  },
  request: 'GET /subnets/{subnetId}/first_subnet/{mask}/',
  output: { cidr: out.text('The subnet, such as `10.0.0.64/26`.', 'data') },
  example: { subnetId: '3', mask: '26' },
});

const searchSubnets = phpipam.task({
  type: 'subnet.Search',
  title: 'Find subnets of phpIPAM by their address',
  description: 'Finds the subnets with a CIDR.',
  properties: { cidr: need.text('The CIDR, such as `10.0.0.0/24`.') },
  request: 'GET /subnets/cidr/{+cidr}/',
  accepts: [404],
  output: { subnets: out.maps('The subnets.', 'data') },
  result: ({ body }) => ({ subnets: mapsIn(valueAt(body, 'data')) }),
  example: { cidr: '10.0.0.0/24' },
});

const newAddress = phpipam.trigger({
  type: 'address.NewAddressTrigger',
  title: 'Start an execution when a subnet of phpIPAM has a new address',
  description:
    'Lists the addresses of a subnet every `interval` and starts an execution for each new one, one at a time.',
  interval: 'PT5M',
  properties: { subnetId: need.text('The id of the subnet.') },
  output: {
    addressId: out.text('The id of the address.'),
    ip: out.text('The address.'),
    hostname: out.text('The host name.'),
    subnetId: out.text('The id of the subnet.'),
  },
  poll: async (client, { subnetId }, context) => {
    const path = `/subnets/${encodeURIComponent(subnetId)}/addresses/`;
    const { body } = await client.send({ path, accepts: [404] });
    const candidates: (Candidate & { address: JsonMap })[] = mapsIn(valueAt(body, 'data')).map((address) => ({
      uri: String(address.id),
      version: '1',
      address,
    }));
    const state = await openTriggerState(context, { on: 'CREATE' });
    const [change] = state.changes(candidates, 1);
    await state.save();
    if (!change) return undefined;
    const { id, ip, hostname: host } = change.candidate.address;
    return { addressId: textOf(id), ip, hostname: host, subnetId };
  },
  example: { subnetId: '3' },
});

export const phpipamTypes = [
  ...addresses,
  ...sections,
  ...subnets,
  ...vlans,
  ...vrfs,
  firstAddress,
  firstSubnet,
  searchSubnets,
  newAddress,
];
