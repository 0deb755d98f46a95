import { dropMissing, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Identity, identityProperties } from '../client/identity.ts';
import { Management, managementUrl, resourcePath } from './management.ts';

export const logicAppsProperties = {
  ...identityProperties,
  subscriptionId: text().describe('The subscription.'),
  resourceGroupName: text().describe('The resource group.'),
};

export const workflowNameProperty = () => text().describe('The name of the workflow.');

export const workflowRecord = z.object({
  id: z.string().optional().describe('The id of the resource.'),
  name: z.string().optional().describe('The name.'),
  location: z.string().optional().describe('The region.'),
  state: z.string().optional().describe('The state, such as `Enabled`.'),
  provisioningState: z.string().optional().describe('The provisioning state.'),
  version: z.string().optional().describe('The version of the definition.'),
  accessEndpoint: z.string().optional().describe('The address of the workflow.'),
  createdTime: z.string().optional().describe('When the workflow was created.'),
  changedTime: z.string().optional().describe('When the workflow was last changed.'),
  tags: z.record(z.string(), z.string()).optional().describe('The tags.'),
});

export const runRecord = z.object({
  id: z.string().optional().describe('The id of the resource.'),
  name: z.string().optional().describe('The name, which is the `runId` of other tasks.'),
  status: z.string().optional().describe('The status, such as `Succeeded`.'),
  code: z.string().optional().describe('The code of the result.'),
  startTime: z.string().optional().describe('When the run started.'),
  endTime: z.string().optional().describe('When the run ended.'),
  correlationId: z.string().optional().describe('The client tracking id.'),
  error: z.unknown().optional().describe('The error of a failed run.'),
  outputs: z.record(z.string(), z.unknown()).optional().describe('The outputs.'),
});
export type RunRecord = z.infer<typeof runRecord>;

const word = z.string().nullish();
const Workflow = z.looseObject({
  id: word,
  name: word,
  location: word,
  tags: z.record(z.string(), z.string()).nullish(),
  properties: z
    .looseObject({
      state: word,
      provisioningState: word,
      version: word,
      accessEndpoint: word,
      createdTime: word,
      changedTime: word,
    })
    .default({}),
});

const Run = z.looseObject({
  id: word,
  name: word,
  properties: z
    .looseObject({
      status: word,
      code: word,
      startTime: word,
      endTime: word,
      correlationId: word,
      correlation: z.looseObject({ clientTrackingId: word }).nullish(),
      error: z.unknown().optional(),
      outputs: z.record(z.string(), z.unknown()).nullish(),
    })
    .default({}),
});

function toWorkflow({ id, name, location, tags, properties }: z.infer<typeof Workflow>) {
  const { state, provisioningState, version, accessEndpoint, createdTime, changedTime } = properties;
  return dropMissing({
    ...{ id, name, location, tags, state, provisioningState, version, accessEndpoint },
    ...{ createdTime, changedTime },
  });
}

function toRun({ id, name, properties }: z.infer<typeof Run>): RunRecord {
  const { status, code, startTime, endTime, correlation, error, outputs } = properties;
  const correlationId = correlation?.clientTrackingId ?? properties.correlationId;
  return dropMissing({ id, name, status, code, startTime, endTime, correlationId, error, outputs });
}

interface LogicAppsInput extends Identity {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
}

const version = '2016-06-01';

/** Workflows of a resource group (Logic Apps, consumption plan) and their runs. */
export class LogicApps {
  readonly #client: Management;
  readonly #base: string;

  constructor(context: TaskContext, { subscriptionId, resourceGroupName, ...identity }: LogicAppsInput) {
    this.#client = new Management(context, identity, 'Logic Apps');
    this.#base = `${managementUrl()}${resourcePath('subscriptions', subscriptionId, 'resourceGroups', resourceGroupName, 'providers', 'Microsoft.Logic', 'workflows')}`;
  }

  #url(path: string, query: Readonly<Record<string, string>> = {}): string {
    return `${this.#base}${path}?${new URLSearchParams({ 'api-version': version, ...query })}`;
  }

  async workflow(name: string) {
    const request = { action: `workflow "${name}"`, method: 'GET', url: this.#url(resourcePath(name)) };
    return toWorkflow(await this.#client.json(request, undefined, Workflow));
  }

  async workflows(limit: number) {
    const url = this.#url('', { $top: String(Math.min(limit, 100)) });
    return (await this.#client.pages({ action: 'the list of workflows', url }, Workflow, limit)).map(
      toWorkflow,
    );
  }

  async run(workflow: string, runId: string): Promise<RunRecord> {
    const url = this.#url(`${resourcePath(workflow)}/runs${resourcePath(runId)}`);
    const request = { action: `run "${runId}" of "${workflow}"`, method: 'GET', url };
    return toRun(await this.#client.json(request, undefined, Run));
  }

  /** The newest runs first. */
  async runs(workflow: string, limit: number, status?: string): Promise<RunRecord[]> {
    const url = this.#url(`${resourcePath(workflow)}/runs`, {
      $top: String(Math.min(limit, 100)),
      ...(status !== undefined && { $filter: `status eq '${status.replaceAll("'", "''")}'` }),
    });
    const found = await this.#client.pages({ action: `the runs of "${workflow}"`, url }, Run, limit);
    return found.map(toRun);
  }

  /** Starts a run; only the response header names it. */
  start(workflow: string, trigger: string) {
    return this.#client.send({
      action: `a run of "${workflow}"`,
      method: 'POST',
      url: this.#url(`${resourcePath(workflow)}/triggers${resourcePath(trigger)}/run`),
      once: true,
    });
  }
}
