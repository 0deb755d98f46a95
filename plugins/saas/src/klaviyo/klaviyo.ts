import { fetchRows, isMap, type JsonMap, mapsIn } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const klaviyo = defineService({
  name: 'Klaviyo',
  prefix: 'klaviyo',
  properties: {
    apiKey: need.secret('A private API key.'),
    baseUrl: preset.text('https://a.klaviyo.com/api', 'The address of the API.'),
    fetchType: preset.fetchType('FETCH', 'rows'),
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiKey }) => ({ headers: { authorization: `Klaviyo-API-Key ${apiKey}` } }),
  headers: () => ({ accept: 'application/vnd.api+json', revision: '2024-10-15' }),
  example: { apiKey: "{{ secret('KLAVIYO_API_KEY') }}" },
});

interface Reading {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly ids: 'campaignIds' | 'messageIds' | 'jobIds';
  readonly path: (id: string) => string;
}

/** Reads one resource for each id. */
const reading = ({ ids, path, ...words }: Reading) =>
  klaviyo.task({
    ...words,
    properties: { [ids]: need.texts('The ids.') },
    output: {
      rows: out.maps('The rows, with `FETCH`.'),
      row: out.map('The first row, with `FETCH_ONE`.'),
      uri: out.text('A file with one row a line, with `STORE`.'),
      size: out.integer('How many rows there are.'),
    },
    run: async (client, input, context) => {
      const wanted: unknown = Object.entries(input).find(([name]) => name === ids)?.[1];
      async function* rows(): AsyncGenerator<JsonMap> {
        for (const id of Array.isArray(wanted) ? wanted.map(String) : []) {
          const { data } = await client.ask({ path: path(encodeURIComponent(id)) });
          yield* isMap(data) ? [data] : mapsIn(data);
        }
      }
      return { ...(await fetchRows(context, input.fetchType, rows())) };
    },
    example: { [ids]: ['01ABC'] },
  });

export const klaviyoTypes = [
  reading({
    type: 'campaign.Get',
    title: 'Get campaigns of Klaviyo',
    description: 'Reads campaigns by their ids.',
    ids: 'campaignIds',
    path: (id) => `/campaigns/${id}`,
  }),
  reading({
    type: 'campaign.GetRecipientCount',
    title: 'Get the estimated recipients of campaigns of Klaviyo',
    description: 'Reads how many recipients campaigns are estimated to have.',
    ids: 'campaignIds',
    path: (id) => `/campaign-recipient-estimations/${id}`,
  }),
  reading({
    type: 'campaign.messages.Get',
    title: 'Get messages of campaigns of Klaviyo',
    description: 'Reads messages by their ids.',
    ids: 'messageIds',
    path: (id) => `/campaign-messages/${id}`,
  }),
  reading({
    type: 'campaign.messages.GetCampaign',
    title: 'Get the campaigns of messages of Klaviyo',
    description: 'Reads the campaign that each message belongs to.',
    ids: 'messageIds',
    path: (id) => `/campaign-messages/${id}/campaign`,
  }),
  reading({
    type: 'campaign.messages.GetImages',
    title: 'Get the images of messages of Klaviyo',
    description: 'Reads the image of each message.',
    ids: 'messageIds',
    path: (id) => `/campaign-messages/${id}/image`,
  }),
  reading({
    type: 'jobs.GetRecipient',
    title: 'Get jobs of Klaviyo that estimate recipients',
    description: 'Reads the state of jobs that estimate recipients.',
    ids: 'jobIds',
    path: (id) => `/campaign-recipient-estimation-jobs/${id}`,
  }),
  reading({
    type: 'jobs.GetSendJob',
    title: 'Get jobs of Klaviyo that send campaigns',
    description: 'Reads the state of jobs that send campaigns.',
    ids: 'jobIds',
    path: (id) => `/campaign-send-jobs/${id}`,
  }),
];
