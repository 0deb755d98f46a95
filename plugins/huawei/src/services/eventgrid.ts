import { batchesOf, mapIn, mapsIn, readMessages, TaskFailed, toRow } from '@millrace/plugin-kit';
import { need, out, preset } from '@millrace/plugin-saas/rest';
import { huaweiService, projectOf, type Types } from '../client/connection.ts';

const service = huaweiService('EventGrid', 'eg');

const metric = 'eventgrid.putevents.count';

const putEvents = service.task({
  type: 'eventgrid.PutEvents',
  title: 'Send events to an EventGrid channel',
  description:
    'Sends CloudEvents, up to ten in one request, and stores what the service said of each in a file: the id of the event, or `error_code` and `error_msg`.',
  properties: {
    channelId: need.text('The id of the channel.'),
    events: need.json(
      'The events: a list, its JSON, or a file with one a row. An event has at least `id`, `source`, `type` and `specversion`.',
    ),
    failOnUnsuccessfulEvents: preset.flag(true, 'Fail when the service refuses an event.'),
  },
  output: {
    uri: out.text('A file with the result of an event per row.'),
    eventCount: out.integer('How many events there were.'),
    failedEventCount: out.integer('How many events were refused.'),
  },
  metrics: [{ name: metric, type: 'counter', description: 'How many events were sent.' }],
  run: async (client, input, context) => {
    const project = await projectOf(context, input);
    let [eventCount, failedEventCount, reason] = [0, 0, ''];
    const results = async function* () {
      const sizeOf = (event: unknown) => JSON.stringify(event).length;
      const limits = { count: 10, bytes: 240 * 1024, sizeOf };
      for await (const events of batchesOf(readMessages(context, input.events), limits)) {
        const response = await client.ask({
          method: 'POST',
          path: `/v1/${project}/channels/${encodeURIComponent(input.channelId)}/events`,
          body: { events },
        });
        eventCount += events.length;
        failedEventCount += Number(response.failed_count ?? 0);
        const said = mapsIn(response.events);
        for (const [index, event] of events.entries()) {
          const result = said[index] ?? { event_id: mapIn(event).id };
          if (result.error_code && reason === '') reason = `${result.error_code}: ${result.error_msg}`;
          yield toRow(result);
        }
      }
    };
    const uri = await context.files.put('events.ion', results());
    context.metric({ name: metric, type: 'counter', value: eventCount });
    const outputs = { uri, eventCount, failedEventCount };
    if (failedEventCount > 0 && input.failOnUnsuccessfulEvents)
      throw new TaskFailed(`EventGrid refused ${failedEventCount} of ${eventCount} events: ${reason}`, {
        outputs,
      });
    return outputs;
  },
  example: {
    channelId: '6e9d7b2c-1f0e-4a57-9a8e-0f0c2b1d4e5f',
    events: [
      {
        id: 'order-1',
        source: 'shop',
        type: 'order.created',
        specversion: '1.0',
        datacontenttype: 'application/json',
        data: { order: 1 },
      },
    ],
  },
});

export const eventgridTypes: Types = [putEvents];
