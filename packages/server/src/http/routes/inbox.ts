import { inbox } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { restartExecution } from '../../actions/restartExecution.ts';
import { listMembers, restartGroup } from '../../inbox/failureGroups.ts';
import { markItem } from '../../inbox/marks.ts';
import { readInbox } from '../../inbox/readInbox.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { onBehalfOf } from '../onBehalfOf.ts';

/** Every open page asks for the count, so that one result serves all of them for this long. */
const countForMs = 5_000;

export function mountInbox(app: FastifyInstance, product: Product): void {
  const { store, clock, flows, alerts, auth, secrets } = product;
  const parts = { store, clock, flows, auth, secrets, usualDurations: alerts.usualDurations };
  let counted: { readonly at: number; readonly count: Promise<number> } | undefined;

  mount(app, inbox.readInbox, ({ query }) => readInbox(query, parts));
  mount(app, inbox.countInbox, async () => {
    const now = performance.now();
    if (!counted || now - counted.at > countForMs) {
      const count = readInbox({ hidden: false }, parts).then(({ open }) => open);
      counted = { at: now, count };
      count.catch(() => {
        counted = undefined;
      });
    }
    return { count: await counted.count };
  });
  mount(app, inbox.markItem, async ({ body }) => {
    const mark = await markItem(body, store, clock());
    counted = undefined;
    return mark;
  });
  mount(app, inbox.listFailures, ({ params, query }) => listMembers(params.groupId, query, store));
  mount(app, inbox.restartFailures, ({ params, request }) => {
    const asked = onBehalfOf(request, product);
    return restartGroup(params.groupId, (id) => restartExecution(id, undefined, asked), store);
  });
}
