import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aRepository } from '@millrace/plugin-git/testing';
import { type FakeDocker, startFakeDocker } from '@millrace/plugin-scripts/testing';
import { expect, onTestFinished } from 'vitest';
import { multipart } from '../multipart.ts';
import type { Cases, Ended, Running } from './case.ts';

/** The folder of a real `dbt` with its DuckDB adapter; `npm run test:connectors` sets it. */
const bin = process.env.MILLRACE_TEST_DBT;
const missing = bin === undefined ? 'dbt is not installed' : undefined;

let docker: FakeDocker;

/** A double of the engine, whose containers are processes; the server finds it as it finds any engine. */
async function openDocker(): Promise<FakeDocker> {
  docker = await startFakeDocker();
  const before = process.env.DOCKER_HOST;
  process.env.DOCKER_HOST = `unix://${docker.socketPath}`;
  onTestFinished(async () => {
    if (before === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = before;
    await docker.close();
  });
  return docker;
}

/** A dbt project whose tables stay in the file of a database. */
const projectIn = (database: string): Readonly<Record<string, string>> => ({
  'dbt_project.yml': 'name: shop\nversion: "1.0"\nprofile: shop\nmodel-paths: [models]\n',
  'profiles.yml': `shop:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: ${database}\n`,
  'models/orders.sql': 'select 1 as id, 90 as total\n',
  'models/totals.sql': "select sum(total) as total from {{ ref('orders') }}\n",
  'models/schema.yml':
    'models:\n  - name: orders\n    columns:\n      - name: id\n        data_tests: [unique]\n',
});
let project: Readonly<Record<string, string>> = {};

/** The programs of the image. */
const withPath = (folder: string | undefined, indent: string) =>
  `env:\n${indent}  PATH: "${folder}:${process.env.PATH}"\n${indent}`;

interface NodeRun {
  readonly taskId: string;
  readonly state: { readonly current: string };
}

const nodesOf = async ({ id }: Pick<Ended, 'id'>, { server }: Running): Promise<string[]> =>
  ((await server.read(id)).taskRunList as NodeRun[])
    .map(({ taskId, state }) => `${taskId.split('.').slice(0, 3).join('.')} ${state.current}`)
    .filter((node) => /^(model|test)\./.test(node))
    .toSorted();
const allNodes = [
  'model.shop.orders SUCCESS',
  'model.shop.totals SUCCESS',
  'test.shop.unique_orders_id SUCCESS',
];

/** Blueprints that use containers: real programs, and a double of the engine that runs them as processes. */
export const containerCases: Cases = {
  'scripts-in-docker': {
    edits: async () => {
      await openDocker();
      return [];
    },
    check: ({ messages }) => {
      expect(messages.join('\n')).toMatch(/Linux-/);
      expect(docker.containers[0]?.options).toMatchObject({
        Image: 'python:3.13-slim',
        HostConfig: { Memory: 256 * 2 ** 20, NanoCpus: 1e9 },
      });
    },
  },
  'build-and-push-an-image': {
    edits: async () => {
      await openDocker();
      const repository = await aRepository();
      await repository.commit({ Dockerfile: 'FROM scratch\n' });
      return [['https://github.com/company/service', repository.url]];
    },
    check: () => {
      expect(docker.builds[0]?.files).toMatchObject({ Dockerfile: 'FROM scratch\n' });
      expect(docker.calls.filter((call) => call.includes('/push'))).toHaveLength(2);
      expect(docker.logins).toContainEqual(
        expect.objectContaining({ username: 'robot', password: 'value-of-REGISTRY_PASSWORD' }),
      );
    },
  },
  'scan-images-for-vulnerabilities': {
    edits: async ({ folder }) => {
      await openDocker();
      const programs = folder();
      const trivy = join(programs, 'trivy');
      writeFileSync(trivy, '#!/bin/sh\necho "{}" > report.json\ncase "$*" in *nginx*) exit 1 ;; esac\n');
      chmodSync(trivy, 0o755);
      return [['outputFiles:\n', `${withPath(programs, '        ')}outputFiles:\n`]];
    },
    state: 'WARNING',
    check: async (ended) => {
      expect(docker.containers.map(({ options }) => options.Image)).toEqual([
        'ghcr.io/aquasecurity/trivy',
        'ghcr.io/aquasecurity/trivy',
      ]);
      const files = ended.output('scan').outputFiles as Record<string, string>;
      expect(String(await ended.file(files['report.json']))).toBe('{}\n');
    },
  },
  'update-servers-with-ansible': {
    edits: async () => {
      await openDocker();
      return [
        // The machine of the test stands for both servers, and is not upgraded.
        [/(?<=web\d\.example\.com ).*/g, 'ansible_connection=local'],
        ['become: true', 'gather_facts: false'],
        [/ansible\.builtin\.apt:\n.*\n.*\n/g, 'ansible.builtin.command: echo upgraded\n'],
      ];
    },
    check: async (ended, { server }) => {
      expect(docker.containers[0]?.options).toMatchObject({ Image: 'cytopia/ansible:latest-tools' });
      const runs = (await server.read(ended.id)).taskRunList as NodeRun[];
      expect(runs.map(({ taskId, state }) => `${taskId} ${state.current}`)).toContain(
        'Upgrade all packages SUCCESS',
      );
      const [{ plays }] = ended.output('update').playbooks as [{ plays: [{ tasks: [{ hosts: object[] }] }] }];
      expect(plays[0].tasks[0].hosts).toMatchObject([
        { host: 'web1.example.com', result: { stdout: 'upgraded' } },
        { host: 'web2.example.com', result: { stdout: 'upgraded' } },
      ]);
    },
  },
  'dbt-build-from-git': {
    missing,
    edits: async () => {
      await openDocker();
      const repository = await aRepository();
      await repository.commit(projectIn('shop.duckdb'));
      return [
        ['https://github.com/company/dbt-project', repository.url],
        ['env:\n', `${withPath(bin, '        ').trimEnd()}\n`],
      ];
    },
    check: async (ended, running) => {
      expect(docker.containers[0]?.options).toMatchObject({ Image: 'ghcr.io/kestra-io/dbt-postgres:latest' });
      expect(await nodesOf(ended, running)).toEqual(allNodes);
      const { exitCode, outputFiles } = ended.output('dbt');
      expect(exitCode).toBe(0);
      const files = outputFiles as Record<string, string>;
      const results = JSON.parse(String(await ended.file(files['run_results.json'])));
      expect(results.results).toHaveLength(allNodes.length);
      expect(JSON.parse(String(await ended.file(files['manifest.json']))).nodes).toHaveProperty(
        'model.shop.totals',
      );
    },
  },
  'dbt-build-changed-models': {
    missing,
    edits: async ({ folder }) => {
      await openDocker();
      project = projectIn(join(folder(), 'shop.duckdb'));
      return [['namespaceFiles:\n', `${withPath(bin, '    ')}namespaceFiles:\n`]];
    },
    before: (running) => writeProject(running, project),
    check: async (ended, running) => {
      expect(await nodesOf(ended, running)).toEqual(allNodes);
      // The next run knows the manifest of this one, and builds only the changed model.
      await writeProject(running, {
        'models/totals.sql': "select max(total) as total from {{ ref('orders') }}\n",
      });
      const next = await running.server.run(running.flowId);
      expect(await nodesOf({ id: String(next.id) }, running)).toEqual(['model.shop.totals SUCCESS']);
    },
  },
};

async function writeProject({ server }: Running, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = multipart({ name: 'fileContent', fileName: path, content });
    const { status } = await server.call('POST', `/namespaces/company.team/files?path=/${path}`, file);
    expect(status).toBe(200);
  }
}
