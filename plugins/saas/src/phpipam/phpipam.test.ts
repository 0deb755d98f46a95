import { expect, test } from 'vitest';
import {
  aServiceContext,
  type Case,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { phpipamTypes } from './phpipam.ts';

startServices();

const api = 'https://ipam.example.com/api/millrace';

/** The calls that all kinds have. */
function common(type: string, plural: string, path: string, created: object, list = path): Case[] {
  const one = { id: '5' };
  return [
    {
      type: `phpipam.ipam.${type}.Create`,
      exchanges: [
        { asks: `POST ${api}${path}/`, sends: created, status: 201, replies: { success: true, id: '5' } },
      ],
      gives: { id: '5' },
    },
    {
      type: `phpipam.ipam.${type}.Get`,
      exchanges: [{ asks: `GET ${api}${path}/5/`, replies: { data: one } }],
      gives: { [type]: one },
    },
    {
      type: `phpipam.ipam.${type}.Update`,
      exchanges: [
        { asks: `PATCH ${api}${path}/5/`, sends: { description: 'changed' }, replies: { success: true } },
      ],
    },
    {
      type: `phpipam.ipam.${type}.Delete`,
      exchanges: [{ asks: `DELETE ${api}${path}/5/`, replies: { success: true } }],
    },
    {
      type: `phpipam.ipam.${type}.List`,
      exchanges: [{ asks: `GET ${api}${list}/`, replies: { data: [one] } }],
      gives: { [plural]: [one], total: 1 },
    },
  ];
}

testCalls(phpipamTypes, {
  headers: { token: 'IPAM_TOKEN' },
  cases: [
    ...common(
      'address',
      'addresses',
      '/addresses',
      { subnetId: '3', ip: '10.0.0.5', hostname: 'db1' },
      '/subnets/3/addresses',
    ),
    ...common('section', 'sections', '/sections', { name: 'Customers' }),
    ...common(
      'subnet',
      'subnets',
      '/subnets',
      { subnet: '10.0.0.0', mask: '24', sectionId: '1' },
      '/sections/3/subnets',
    ),
    ...common('vlan', 'vlans', '/vlan', { name: 'office', number: '42' }),
    ...common('vrf', 'vrfs', '/vrf', { name: 'blue', rd: '65000:1' }),
    {
      type: 'phpipam.ipam.address.FirstFree',
      exchanges: [{ asks: `GET ${api}/addresses/first_free/3/`, replies: { data: '10.0.0.6' } }],
      gives: { ip: '10.0.0.6' },
    },
    {
      type: 'phpipam.ipam.subnet.FirstFree',
      exchanges: [{ asks: `GET ${api}/subnets/3/first_subnet/26/`, replies: { data: '10.0.0.64/26' } }],
      gives: { cidr: '10.0.0.64/26' },
    },
    {
      type: 'phpipam.ipam.subnet.Search',
      when: 'without a match, with the login of a user',
      with: { auth: { username: 'ada', password: 'secret' } },
      exchanges: [
        {
          asks: `POST ${api}/user/`,
          headers: {
            token: undefined,
            authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}`,
          },
          replies: { data: { token: 'IPAM_TOKEN' } },
        },
        {
          asks: `GET ${api}/subnets/cidr/10.0.0.0/24/`,
          status: 404,
          replies: { message: 'No subnets found' },
        },
      ],
      gives: { subnets: [] },
    },
    {
      type: 'phpipam.ipam.vlan.List',
      when: 'of an empty list',
      exchanges: [{ asks: `GET ${api}/vlan/`, status: 404, replies: { message: 'No vlans configured' } }],
      gives: { vlans: [], total: 0 },
    },
  ],
});

test('phpipam.ipam.address.NewAddressTrigger starts for one new address at a time', async () => {
  const trigger = phpipamTypes.at(-1);
  if (trigger?.kind !== 'trigger') throw new Error('No trigger');
  const context = aServiceContext();
  const poll = () => {
    expectExchanges([
      {
        asks: '',
        replies: {
          data: [
            { id: '5', ip: '10.0.0.5' },
            { id: '6', ip: '10.0.0.6' },
          ],
        },
      },
    ]);
    return trigger.poll?.(context, trigger.input.parse(exampleOf(trigger)));
  };
  expect(await poll()).toMatchObject({ addressId: '5', subnetId: '3' });
  expect(await poll()).toMatchObject({ addressId: '6' });
  expect(await poll()).toBeUndefined();
});
