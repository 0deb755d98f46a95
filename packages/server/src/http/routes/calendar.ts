import { calendar } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { readCalendar } from '../../calendar/readCalendar.ts';
import { listScheduleDates } from '../../calendar/scheduleDates.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountCalendar(app: FastifyInstance, product: Product): void {
  const { store, flows, environment, host, clock, alerts } = product;
  const parts = { store, flows, environment, host, clock, usualDurations: alerts.usualDurations };
  mount(app, calendar.readCalendar, ({ query }) => readCalendar(query, parts));
  mount(app, calendar.listScheduleDates, ({ params, query }) =>
    listScheduleDates(params, query.count, parts),
  );
}
