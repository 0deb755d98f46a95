import { defineTask, dropMissing, integer, listOf, mapOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { identityProperties } from '../client/identity.ts';
import { Management, resourcePath } from './management.ts';

const Job = z.looseObject({
  id: z.number(),
  state: z.string().nullish(),
  appId: z.string().nullish(),
});

const texts = () => listOf(text()).optional();

export const synapseSparkBatchJobCreate = defineTask({
  type: 'azure.synapse.SparkBatchJobCreate',
  title: 'Submit a Spark job to Synapse Analytics',
  description: 'Submits a batch job to a Spark pool and does not wait for its end.',
  input: () =>
    z.object({
      ...identityProperties,
      endpoint: text().describe('The workspace, such as `https://company.dev.azuresynapse.net`.'),
      sparkPoolName: text().describe('The Spark pool.'),
      name: text().describe('The name of the job.'),
      file: text().describe('The file that the job runs: a JAR or a Python file.'),
      className: text().optional().describe('The main class of a JAR.'),
      arguments: texts().describe('The arguments of the program.'),
      jars: texts().describe('JAR files to add.'),
      pyFiles: texts().describe('Python files to add.'),
      files: texts().describe('Other files to add.'),
      archives: texts().describe('Archives to unpack.'),
      conf: mapOf(text()).optional().describe('Properties of Spark.'),
      driverMemory: text().optional().describe('The memory of the driver, such as `28g`.'),
      driverCores: integer({ min: 1 }).optional().describe('The cores of the driver.'),
      executorMemory: text().optional().describe('The memory of an executor, such as `28g`.'),
      executorCores: integer({ min: 1 }).optional().describe('The cores of an executor.'),
      executorCount: integer({ min: 1 }).optional().describe('The number of executors.'),
      tags: mapOf(text()).optional().describe('Tags of the job.'),
    }),
  output: () =>
    z.object({
      jobId: z.number().describe('The id of the job.'),
      state: z.string().optional().describe('The state after the submission.'),
      appId: z.string().optional().describe('The id of the Spark application, once it has one.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.synapse.SparkBatchJobCreate', 'Submit a Python job.', [
      'endpoint: https://company.dev.azuresynapse.net',
      'sparkPoolName: small',
      'name: daily-report',
      'file: abfss://jobs@company.dfs.core.windows.net/report.py',
      'driverMemory: 28g',
      'driverCores: 4',
      'executorMemory: 28g',
      'executorCores: 4',
      'executorCount: 2',
    ]),
  ],
  async run(context, input) {
    const { endpoint, sparkPoolName, name, file, className, jars, pyFiles, files, archives, conf } = input;
    const { driverMemory, driverCores, executorMemory, executorCores, tags } = input;
    const client = new Management(
      context,
      input,
      'Synapse Analytics',
      'https://dev.azuresynapse.net/.default',
    );
    const job = await client.json(
      {
        action: `job "${name}"`,
        method: 'POST',
        url: `${endpoint.replace(/\/+$/, '')}/livyApi/versions/2019-11-01-preview/sparkPools${resourcePath(sparkPoolName)}/batches?detailed=true`,
        once: true,
      },
      dropMissing({
        ...{ name, file, className, jars, pyFiles, files, archives, conf, tags },
        ...{ driverMemory, driverCores, executorMemory, executorCores },
        args: input.arguments,
        numExecutors: input.executorCount,
      }),
      Job,
    );
    return { jobId: job.id, ...dropMissing({ state: job.state, appId: job.appId }) };
  },
});
