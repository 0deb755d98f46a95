import { dropMissing, flagAt, type Json, mapAt, mapsAt, segment, textAt } from '@millrace/plugin-gcp/google';
import { choice, type Definition, flag, integer, listOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  defineWorkspaceTask,
  defineWorkspaceTrigger,
  newItems,
  scope,
  seenOf,
  workspaceExample,
  workspaceTriggerExample,
} from '../workspace.ts';

const calendar = scope('calendar');

const eventsUrl = (calendarId: string): string =>
  `https://www.googleapis.com/calendar/v3/calendars/${segment(calendarId)}/events`;
const eventUrl = ({
  calendarId,
  eventId,
}: {
  readonly calendarId: string;
  readonly eventId: string;
}): string => `${eventsUrl(calendarId)}/${segment(eventId)}`;

const calendarProperty = () => text().describe('The id of the calendar: `primary`, or a mail address.');
const eventProperty = () => text().describe('The id of the event.');
const sendUpdatesProperty = () =>
  text().default('none').describe('Who is notified by mail: `all`, `externalOnly` or `none`.');

const time = () =>
  part({
    dateTime: text()
      .optional()
      .describe('The date and time, such as `2026-01-31T09:00:00+01:00`; a date alone is a whole day.'),
    timeZone: text().optional().describe('The time zone, such as `Europe/Berlin`.'),
  });
const attendee = () =>
  part({
    displayName: text().optional().describe('The name.'),
    email: text().optional().describe('The mail address.'),
  });

const contentProperties = {
  description: text().optional().describe('The text of the event.'),
  location: text().optional().describe('The place.'),
  attendees: listOf(attendee()).optional().describe('Who is invited.'),
};

interface EventInput {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly status?: string | undefined;
  readonly startTime?: z.infer<ReturnType<typeof time>> | undefined;
  readonly endTime?: z.infer<ReturnType<typeof time>> | undefined;
  readonly attendees?: readonly z.infer<ReturnType<typeof attendee>>[] | undefined;
  readonly creator?: z.infer<ReturnType<typeof attendee>> | undefined;
}

const toTime = (value: EventInput['startTime']): Json | undefined =>
  value &&
  dropMissing({
    ...(/^\d{4}-\d\d-\d\d$/.test(value.dateTime ?? '')
      ? { date: value.dateTime }
      : { dateTime: value.dateTime }),
    timeZone: value.timeZone,
  });

const toEvent = (input: EventInput): Json =>
  dropMissing({
    summary: input.summary,
    description: input.description,
    location: input.location,
    status: input.status,
    start: toTime(input.startTime),
    end: toTime(input.endTime),
    attendees: input.attendees?.map((each) => dropMissing(each)),
    creator: input.creator && dropMissing(input.creator),
  });

const optional = () => z.string().optional();
const eventOutput = z.object({
  id: z.string().describe('The id.'),
  status: optional().describe('`confirmed`, `tentative` or `cancelled`.'),
  summary: optional().describe('The title.'),
  description: optional().describe('The text.'),
  location: optional().describe('The place.'),
});
const oneEvent = () => z.object({ event: eventOutput.describe('The event.') });

const fromEvent = (json: Json): z.infer<typeof eventOutput> =>
  dropMissing({
    id: textAt(json, 'id') ?? '',
    status: textAt(json, 'status'),
    summary: textAt(json, 'summary'),
    description: textAt(json, 'description'),
    location: textAt(json, 'location'),
  });

const insert = defineWorkspaceTask({
  type: 'googleworkspace.calendar.InsertEvent',
  title: 'Create an event in Google Calendar',
  description: 'Creates an event. The calendar must be shared with the service account.',
  scopes: [calendar],
  properties: {
    calendarId: calendarProperty(),
    summary: text().describe('The title.'),
    ...contentProperties,
    startTime: time().describe('When it starts.'),
    endTime: time().describe('When it ends.'),
    creator: attendee().optional().describe('Who created it.'),
  },
  output: oneEvent,
  examples: [
    workspaceExample(
      'googleworkspace.calendar.InsertEvent',
      'Plan a maintenance.',
      'calendarId: team@example.com\nsummary: Maintenance\nlocation: Data center\nstartTime:\n  dateTime: "2026-12-01T09:00:00+01:00"\n  timeZone: Europe/Berlin\nendTime:\n  dateTime: "2026-12-01T10:00:00+01:00"\n  timeZone: Europe/Berlin',
    ),
  ],
  run: async (google, { calendarId, ...input }) => ({
    event: fromEvent(await google.post(eventsUrl(calendarId), toEvent(input))),
  }),
});

const update = defineWorkspaceTask({
  type: 'googleworkspace.calendar.UpdateEvent',
  title: 'Change an event in Google Calendar',
  description:
    'Changes the properties that are given. With `patch: false` the event is replaced, and properties that are not given are lost.',
  scopes: [calendar],
  properties: {
    calendarId: calendarProperty(),
    eventId: eventProperty(),
    patch: flag().default(true).describe('Keep the properties that are not given.'),
    sendUpdates: sendUpdatesProperty(),
    summary: text().optional().describe('The title.'),
    ...contentProperties,
    startTime: time().optional().describe('When it starts.'),
    endTime: time().optional().describe('When it ends.'),
    status: text().optional().describe('`confirmed`, `tentative` or `cancelled`.'),
  },
  output: oneEvent,
  examples: [
    workspaceExample(
      'googleworkspace.calendar.UpdateEvent',
      'Rename an event.',
      'calendarId: team@example.com\neventId: 6jh3g2\nsummary: Maintenance (moved)',
    ),
  ],
  async run(google, { patch, sendUpdates, ...input }) {
    const { body } = await google.json({
      url: eventUrl(input),
      method: patch ? 'PATCH' : 'PUT',
      query: { sendUpdates },
      body: toEvent(input),
    });
    return { event: fromEvent(body) };
  },
});

const remove = defineWorkspaceTask({
  type: 'googleworkspace.calendar.DeleteEvent',
  title: 'Delete an event in Google Calendar',
  description: 'Deletes an event.',
  scopes: [calendar],
  properties: {
    calendarId: calendarProperty(),
    eventId: eventProperty(),
    sendUpdates: sendUpdatesProperty(),
  },
  output: () => z.object({}),
  examples: [
    workspaceExample(
      'googleworkspace.calendar.DeleteEvent',
      'Delete an event.',
      'calendarId: team@example.com\neventId: 6jh3g2',
    ),
  ],
  async run(google, { sendUpdates, ...input }) {
    await google.json({ url: eventUrl(input), method: 'DELETE', query: { sendUpdates } });
    return {};
  },
});

const get = defineWorkspaceTask({
  type: 'googleworkspace.calendar.GetEvent',
  title: 'Read an event of Google Calendar',
  description: 'Returns an event, and in `metadata` all that Google knows about it.',
  scopes: [calendar],
  properties: {
    calendarId: calendarProperty(),
    eventId: eventProperty(),
    maxAttendees: integer({ min: 1 }).optional().describe('The most attendees that are returned.'),
    alwaysIncludeEmail: flag().default(false).describe('Accepted for older flows. Google ignores it.'),
  },
  output: () =>
    z.object({
      event: eventOutput.describe('The event.'),
      metadata: z.record(z.string(), z.unknown()).describe('The event with all its fields.'),
    }),
  examples: [
    workspaceExample(
      'googleworkspace.calendar.GetEvent',
      'Read an event.',
      'calendarId: team@example.com\neventId: 6jh3g2',
    ),
  ],
  async run(google, { maxAttendees, ...input }) {
    const json = await google.get(eventUrl(input), { maxAttendees });
    return { event: fromEvent(json), metadata: { ...json } };
  },
});

const list = defineWorkspaceTask({
  type: 'googleworkspace.calendar.ListEvents',
  title: 'List events of Google Calendar',
  description: 'Returns one page of events; `nextPageToken` is the `pageToken` of the next one.',
  scopes: [calendar],
  properties: {
    calendarId: calendarProperty(),
    timeMin: text().optional().describe('Only events that end after this date and time.'),
    timeMax: text().optional().describe('Only events that start before this date and time.'),
    q: text().optional().describe('Only events that contain this text.'),
    singleEvents: flag().default(true).describe('Show each date of a recurring event.'),
    orderBy: text().optional().describe('`startTime` or `updated`.'),
    showDeleted: flag().default(false).describe('Also show events that were deleted.'),
    maxResults: integer({ min: 1, max: 2500 })
      .optional()
      .describe('The most events of a page; 250 when absent.'),
    pageToken: text().optional().describe('The page.'),
  },
  output: () =>
    z.object({
      events: z.array(eventOutput).describe('The events.'),
      metadataList: z.array(z.record(z.string(), z.unknown())).describe('The events with all their fields.'),
      nextPageToken: optional().describe('The next page; absent at the last one.'),
    }),
  examples: [
    workspaceExample(
      'googleworkspace.calendar.ListEvents',
      'List the events of today.',
      `calendarId: team@example.com\ntimeMin: "{{ now() | date(\\"yyyy-MM-dd'T'00:00:00'Z'\\") }}"\norderBy: startTime`,
    ),
  ],
  async run(
    google,
    { calendarId, timeMin, timeMax, q, singleEvents, orderBy, showDeleted, maxResults, pageToken },
  ) {
    const query = { timeMin, timeMax, q, singleEvents, orderBy, showDeleted, maxResults, pageToken };
    const json = await google.get(eventsUrl(calendarId), query);
    const items = mapsAt(json, 'items');
    return dropMissing({
      events: items.map(fromEvent),
      metadataList: items.map((each) => ({ ...each })),
      nextPageToken: textAt(json, 'nextPageToken'),
    });
  },
});

const toDate = (json: Json) =>
  dropMissing({
    dateTime: textAt(json, 'dateTime'),
    date: textAt(json, 'date'),
    timeZone: textAt(json, 'timeZone'),
  });

const dateOutput = () =>
  z.object({
    dateTime: optional().describe('The date and time.'),
    date: optional().describe('The date, for a whole day.'),
    timeZone: optional().describe('The time zone.'),
  });

const trigger = defineWorkspaceTrigger({
  type: 'googleworkspace.calendar.EventCreatedTrigger',
  title: 'Start when events are created in Google Calendar',
  description: `Polls for new events every \`interval\` and starts one execution for all of them. The first poll takes the events that were created during the last
interval; later ones those since the event that was seen last.`,
  scopes: [scope('calendar.readonly')],
  interval: 'PT5M',
  properties: {
    calendarIds: listOf(text(), { min: 1 }).describe('The ids of the calendars.'),
    searchQuery: text().optional().describe('Only events that contain this text.'),
    organizerEmail: text().optional().describe('Only events of this organizer.'),
    eventStatus: choice(['CONFIRMED', 'TENTATIVE', 'CANCELLED'])
      .optional()
      .describe('Only events in this state.'),
    maxEventsPerPoll: integer({ min: 1 })
      .default(100)
      .describe('The most events of one poll; the others follow with the next one.'),
  },
  output: () =>
    z.object({
      events: z
        .array(
          z.object({
            ...eventOutput.shape,
            htmlLink: optional().describe('The address for people.'),
            created: optional().describe('When it was created.'),
            updated: optional().describe('When it last changed.'),
            start: dateOutput().describe('When it starts.'),
            end: dateOutput().describe('When it ends.'),
            organizer: z
              .object({
                email: optional().describe('The mail address.'),
                displayName: optional().describe('The name.'),
                self: z.boolean().optional().describe('Whether it is this calendar.'),
              })
              .describe('The organizer.'),
            visibility: optional().describe('Who sees it.'),
            eventType: optional().describe('The kind of the event.'),
          }),
        )
        .describe('The new events.'),
    }),
  examples: [
    workspaceTriggerExample(
      'googleworkspace.calendar.EventCreatedTrigger',
      'Show new events.',
      'calendarIds:\n  - team@example.com\ninterval: PT5M',
      "{{ trigger.events | jq('.[].summary') }}",
    ),
  ],
  async poll(google, input, context) {
    const seen = seenOf(context.memory, input.interval);
    const candidates = [];
    for (const calendarId of input.calendarIds) {
      const query = {
        // Creating an event sets its update time, so this filter skips only older events.
        updatedMin: seen.since,
        q: input.searchQuery,
        showDeleted: input.eventStatus === 'CANCELLED',
        maxResults: 2500,
      };
      for await (const json of google.list({ url: eventsUrl(calendarId), query }, 'items')) {
        const organizer = textAt(mapAt(json, 'organizer'), 'email');
        if (input.organizerEmail && organizer?.toLowerCase() !== input.organizerEmail.toLowerCase()) continue;
        if (input.eventStatus && textAt(json, 'status') !== input.eventStatus.toLowerCase()) continue;
        candidates.push({
          id: `${calendarId}/${textAt(json, 'id')}`,
          date: textAt(json, 'created') ?? '',
          json,
        });
      }
    }
    const next = newItems(candidates, seen, input.maxEventsPerPoll);
    context.remember(next.seen);
    if (next.found.length === 0) return undefined;
    return { events: next.found.map(({ json }) => toTriggered(json)) };
  },
});

function toTriggered(json: Json) {
  const organizer = mapAt(json, 'organizer');
  return dropMissing({
    ...fromEvent(json),
    htmlLink: textAt(json, 'htmlLink'),
    created: textAt(json, 'created'),
    updated: textAt(json, 'updated'),
    start: toDate(mapAt(json, 'start')),
    end: toDate(mapAt(json, 'end')),
    organizer: dropMissing({
      email: textAt(organizer, 'email'),
      displayName: textAt(organizer, 'displayName'),
      self: flagAt(organizer, 'self'),
    }),
    visibility: textAt(json, 'visibility'),
    eventType: textAt(json, 'eventType'),
  });
}

export const calendarTypes: readonly Definition[] = [insert, update, remove, get, list, trigger];
