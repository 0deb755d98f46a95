import { AppError } from '@millrace/contract';
import { describeErrors, parseFlow } from '@millrace/engine';
import type { DashboardStore, FlowStore, StoredFlowText } from '@millrace/plugin-kit';
import type { Filter } from '@millrace/store';
import { createDashboard, deleteDashboard, updateDashboard } from '../dashboards/dashboards.ts';
import { readDashboard } from '../dashboards/readDashboard.ts';
import { listFilledNamespaces } from '../namespaces/listNamespaces.ts';
import { mayUse, type RestrictedNamespaces } from '../namespaces/namespaceReach.ts';
import { deleteFlow } from './deleteFlow.ts';
import { linkToExecution } from './linkToExecution.ts';
import { importFlow, type SaveParts } from './saveFlow.ts';
import { type StartParts, startExecution } from './startExecution.ts';

export type TaskFlowParts = SaveParts &
  StartParts & { readonly config: { readonly url?: string | undefined } };

/** Flows as the tasks of one namespace may read and change them. */
export function createFlowStore(
  user: string,
  restricted: RestrictedNamespaces,
  parts: () => TaskFlowParts,
): FlowStore {
  const reach = (namespace: string): void => {
    if (mayUse(user, namespace, restricted)) return;
    throw new AppError(
      'illegal-argument',
      `the namespace "${user}" may not use the flows of the namespace "${namespace}"`,
    );
  };
  const find = async (namespace: string, id: string): Promise<StoredFlowText | undefined> => {
    const found = await parts().store.getFlow(namespace, id);
    return found && !found.deleted ? toText(found) : undefined;
  };
  return {
    list: async (namespace, { children }) => {
      reach(namespace);
      const all = await listFlows(namespace, children, parts());
      // A child may be restricted although its parent is not.
      return all.filter((flow) => mayUse(user, flow.namespace, restricted));
    },
    namespaces: async () =>
      (await listFilledNamespaces(parts())).filter((namespace) => mayUse(user, namespace, restricted)),
    find: async (namespace, id) => {
      reach(namespace);
      return find(namespace, id);
    },
    check: async (source) => {
      const { flow, issues } = parseFlow(source, parts().catalogue);
      const problem = describeErrors(issues);
      if (!flow || problem !== undefined) return { problem: problem ?? 'the text is not a flow' };
      reach(flow.namespace);
      return { namespace: flow.namespace, id: flow.id };
    },
    save: async (source) => {
      const { flow } = parseFlow(source, parts().catalogue);
      if (flow) reach(flow.namespace);
      return toText((await importFlow(source, parts())).record);
    },
    start: async ({ namespace, id, revision, inputs = {}, labels = [], scheduleDate }) => {
      reach(namespace);
      const execution = await startExecution(
        {
          namespace,
          id,
          inputs,
          labels,
          ...(revision !== undefined && { revision }),
          ...(scheduleDate !== undefined && { scheduledAt: Date.parse(scheduleDate) }),
        },
        parts(),
      );
      const { url } = parts().config;
      return {
        id: execution.id,
        state: execution.state.current,
        ...(url !== undefined && { link: linkToExecution(url, execution) }),
      };
    },
    delete: async (namespace, id) => {
      reach(namespace);
      if (!(await find(namespace, id))) return false;
      await deleteFlow({ namespace, id }, parts());
      return true;
    },
  };
}

const toText = ({ namespace, id, revision, source }: StoredFlowText): StoredFlowText => ({
  namespace,
  id,
  revision,
  source,
});

const pageSize = 500;

async function listFlows(
  namespace: string,
  children: boolean,
  { store }: TaskFlowParts,
): Promise<StoredFlowText[]> {
  const operation = children ? 'STARTS_WITH' : 'EQUALS';
  const filters: Filter[] = [{ field: 'namespace', operation, value: namespace }];
  const all: StoredFlowText[] = [];
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size: pageSize, filters });
    all.push(...results.filter(({ deleted }) => !deleted).map(toText));
    if (results.length < pageSize) return all.sort(byName);
  }
}

const byName = (a: StoredFlowText, b: StoredFlowText): number =>
  a.namespace === b.namespace ? compare(a.id, b.id) : compare(a.namespace, b.namespace);
const compare = (a: string, b: string): number => (a < b ? -1 : 1);

/** Dashboards belong to no namespace, so every flow may use them. */
export function createDashboardStore(parts: () => TaskFlowParts): DashboardStore {
  return {
    list: async () => {
      const { store } = parts();
      const found = [];
      for (let page = 1; ; page++) {
        const { results } = await store.listDashboards({ page, size: pageSize });
        found.push(...results.map(({ id, title, source }) => ({ id, title, source })));
        if (results.length < pageSize) return found.sort((a, b) => (a.id < b.id ? -1 : 1));
      }
    },
    check: async (source) => {
      const { problems } = readDashboard(source, parts().catalogue);
      return problems.length === 0
        ? undefined
        : problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    },
    save: async (id, source) => {
      const isKnown = (await parts().store.getDashboard(id)) !== undefined;
      if (isKnown) await updateDashboard(id, source, parts());
      else await createDashboard(source, parts());
    },
    delete: async (id) => {
      if (!(await parts().store.getDashboard(id))) return false;
      await deleteDashboard(id, parts());
      return true;
    },
  };
}
