import type { Definition, TaskContext } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, realProcesses, type TestContext } from '@millrace/plugin-kit/testing';
import { aiFamily } from '../index.ts';

interface Given {
  readonly variables?: TaskContext['variables'];
  /** Types of other families that the task may use. */
  readonly types?: readonly Definition[];
  /** Addresses that are redirected to a test server, for services whose address is not a property. */
  readonly redirect?: Readonly<Record<string, string>>;
  readonly configuration?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A context with the AI family, a real network and real processes. */
export function anAiContext(given: Given = {}): TestContext {
  const { types = [], redirect = {}, configuration = {} } = given;
  const all = [...aiFamily.types, ...types];
  const network = realNetwork();
  return aTaskContext({
    variables: {
      labels: { system: { correlationId: 'correlation1' } },
      execution: { id: 'execution1' },
      flow: { id: 'a_flow', namespace: 'company.team' },
      ...given.variables,
    },
    ...(given.secrets && { secrets: given.secrets }),
    ...network,
    fetch: (request) => network.fetch({ ...request, url: redirected(request.url, redirect) }),
    spawn: realProcesses,
    configuration: (type) => configuration[type] ?? {},
    findType: (type) => {
      const short = type.replace(/^io\.kestra\.plugin\./, '');
      return all.find((one) => one.type === short || one.aliases?.includes(short));
    },
  });
}

function redirected(url: string, redirect: Readonly<Record<string, string>>): string {
  const from = Object.keys(redirect).find((start) => url.startsWith(start));
  return from === undefined ? url : url.replace(from, redirect[from] ?? '');
}
