import { startServices, testCalls } from '../testing/exchange.ts';
import { hubspotTypes } from './hubspot.ts';

startServices();

const api = 'https://api.hubapi.com/crm/v3/objects';
const object = { id: '101', properties: { name: 'Acme' } };
const stores = { uri: JSON.stringify(object) };
const kept = { gives: { id: 101 }, stores };
const created: Readonly<Record<string, { singular: string; sends: object; links?: string[] }>> = {
  companies: {
    singular: 'company',
    sends: { name: 'Acme', domain: 'acme.example.com', description: 'Rockets' },
  },
  contacts: {
    singular: 'contact',
    sends: { email: 'ada@example.com', firstname: 'Ada', lifecyclestage: 'lead' },
  },
  deals: {
    singular: 'deal',
    sends: { dealname: 'Rockets', pipeline: 'default', dealstage: 'closedwon', amount: '1500.5' },
    links: ['companies/101'],
  },
};

const ticket = {
  properties: { subject: 'The nightly load failed', hs_pipeline_stage: '1', hs_ticket_priority: 'HIGH' },
};

testCalls(hubspotTypes, {
  headers: { authorization: 'Bearer HUBSPOT_TOKEN' },
  cases: [
    ...Object.entries(created).flatMap(([plural, { sends, links = [] }]) => [
      {
        type: `hubspot.${plural}.Create`,
        exchanges: [
          { asks: `POST ${api}/${plural}`, sends: { properties: sends }, status: 201, replies: object },
          ...links.map((link) => ({
            asks: `PUT https://api.hubapi.com/crm/v4/objects/${plural}/101/associations/default/${link}`,
          })),
        ],
        ...kept,
      },
      {
        type: `hubspot.${plural}.Get`,
        exchanges: [{ asks: `GET ${api}/${plural}/101?properties=name`, replies: object }],
        ...kept,
      },
      {
        type: `hubspot.${plural}.Update`,
        exchanges: [
          { asks: `PATCH ${api}/${plural}/101`, sends: { properties: { city: 'Paris' } }, replies: object },
        ],
        ...kept,
      },
      {
        type: `hubspot.${plural}.Delete`,
        exchanges: [{ asks: `DELETE ${api}/${plural}/101`, status: 204 }],
      },
      {
        type: `hubspot.${plural}.Search`,
        exchanges: [
          {
            asks: `POST ${api}/${plural}/search`,
            sends: { query: 'example', properties: ['name'], limit: 10 },
            replies: { total: 2, results: [object], paging: { next: { after: '10' } } },
          },
        ],
        gives: { total: 2 },
        stores: { uri: `${JSON.stringify(object)}\n` },
      },
    ]),
    {
      type: 'hubspot.contacts.Search',
      when: 'over all pages',
      with: { fetchAllPages: true, oauthToken: 'HUBSPOT_TOKEN' },
      exchanges: [
        {
          asks: `POST ${api}/contacts/search`,
          sends: { query: 'example', properties: ['name'], limit: 10 },
          replies: { total: 2, results: [object], paging: { next: { after: '10' } } },
        },
        {
          asks: `POST ${api}/contacts/search`,
          sends: { query: 'example', properties: ['name'], limit: 10, after: '10' },
          replies: { total: 2, results: [object] },
        },
      ],
      gives: { total: 2 },
      stores: { uri: `${JSON.stringify(object)}\n`.repeat(2) },
    },
    {
      type: 'hubspot.tickets.Create',
      exchanges: [{ asks: `POST ${api}/tickets`, sends: ticket, status: 201, replies: object }],
      ...kept,
    },
    {
      type: 'hubspot.tickets.Create',
      when: 'with values that are refused',
      exchanges: [
        {
          asks: `POST ${api}/tickets`,
          sends: ticket,
          status: 400,
          replies: { status: 'error', message: 'Property values were not valid' },
        },
      ],
      fails: 'Property values were not valid',
    },
  ],
});
