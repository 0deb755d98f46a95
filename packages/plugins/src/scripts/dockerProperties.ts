import { z } from 'zod';
import { choice, decimal, duration, flag, listOf, part, text, textOrList } from '../kit/dynamic.ts';

export const dockerProperties = z.object({
  host: text()
    .optional()
    .describe('The Docker daemon, for example `tcp://docker:2375`; the local one when absent.'),
  credentials: part({
    registry: text().optional().describe('The registry; Docker Hub when absent.'),
    username: text().optional().describe('The user.'),
    password: text().optional().describe('The password.'),
    auth: text().optional().describe('User and password in base64, instead of both.'),
    identityToken: text().optional().describe('A token, instead of a password.'),
    registryToken: text().optional().describe('A bearer token for the registry.'),
  })
    .optional()
    .describe('The login to a private registry.'),
  pullPolicy: choice(['ALWAYS', 'IF_NOT_PRESENT', 'NEVER'])
    .default('IF_NOT_PRESENT')
    .describe('When to pull the image.'),
  user: text().optional().describe('The user inside the container.'),
  entryPoint: textOrList().optional().describe('Replaces the entry point of the image.'),
  extraHosts: listOf(text()).default([]).describe('Host names and their addresses, as `name:address`.'),
  networkMode: text().optional().describe('The network of the container.'),
  portBindings: listOf(text()).default([]).describe('Ports to publish, as `host:container`.'),
  cpu: part({ cpus: decimal().optional().describe('How many processors it may use.') })
    .optional()
    .describe('Limits of the processor.'),
  memory: part({
    memory: text().optional().describe('The most memory it may use, for example `512MB`.'),
    memorySwap: text().optional().describe('Memory and swap together.'),
    memorySwappiness: text().optional().describe('How willing it is to swap, from 0 to 100.'),
    memoryReservation: text().optional().describe('What it gets when memory is short.'),
    oomKillDisable: flag().default(false).describe('Do not end it when it uses too much.'),
  })
    .optional()
    .describe('Limits of the memory.'),
  shmSize: text().optional().describe('The size of `/dev/shm`.'),
  gpus: text().optional().describe('The graphics processors it may use: `all`, or a number.'),
  delete: flag().default(true).describe('Remove the container afterwards.'),
  killGracePeriod: duration().prefault('PT0S').describe('How long a killed container may take to end.'),
  fileHandlingStrategy: choice(['MOUNT'])
    .default('MOUNT')
    .describe('The working folder is mounted into the container.'),
});
export type DockerInput = z.infer<typeof dockerProperties>;
