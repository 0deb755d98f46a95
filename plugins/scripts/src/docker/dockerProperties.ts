import {
  anything,
  choice,
  decimal,
  deprecated,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  text,
  textOrList,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const dockerProperties = z.object({
  image: text().optional().describe('The image; `containerImage` of the task when absent.'),
  host: text()
    .optional()
    .describe(
      'The engine, for example `tcp://docker:2375`; the local Docker or Podman when absent. A socket must be one that the server is configured with.',
    ),
  config: anything().optional().describe('The text or map of a Docker `config.json`, for its logins.'),
  credentials: part({
    registry: text().optional().describe('The registry; that of the image when absent.'),
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
  entryPoint: textOrList()
    .optional()
    .describe('Stands before the commands, instead of the entry point of the image.'),
  extraHosts: listOf(text()).default([]).describe('Host names and their addresses, as `name:address`.'),
  networkMode: text().optional().describe('The network of the container.'),
  portBindings: listOf(text()).default([]).describe('Ports to publish, as `host:container`.'),
  volumes: listOf(text())
    .default([])
    .describe(
      'Folders of the engine’s machine to mount, as `/there:/here`. Refused unless the server is configured with `volumeEnabled`.',
    ),
  privileged: flag()
    .default(false)
    .describe(
      'Give the container all rights. Refused unless the server is configured with `privilegedEnabled`.',
    ),
  deviceRequests: listOf(
    part({
      driver: text().optional().describe('The driver.'),
      count: integer().optional().describe('How many devices; -1 for all.'),
      deviceIds: listOf(text()).optional().describe('Which devices.'),
      capabilities: listOf(listOf(text()))
        .optional()
        .describe('What they must be able to do, such as `gpu`.'),
      options: mapOf(text()).optional().describe('Options of the driver.'),
    }),
  )
    .default([])
    .describe('Devices such as graphics processors.'),
  cpu: part({ cpus: decimal().optional().describe('How many processors it may use.') })
    .optional()
    .describe('Limits of the processor.'),
  memory: part({
    memory: text().optional().describe('The most memory it may use, for example `512MB`.'),
    memorySwap: text().optional().describe('Memory and swap together.'),
    memorySwappiness: text().optional().describe('How willing it is to swap, from 0 to 100.'),
    memoryReservation: text().optional().describe('What it gets when memory is short.'),
    kernelMemory: deprecated(text().optional(), 'engines do not limit the memory of the kernel any more.'),
    oomKillDisable: flag().default(false).describe('Do not end it when it uses too much.'),
  })
    .optional()
    .describe('Limits of the memory.'),
  shmSize: text().optional().describe('The size of `/dev/shm`.'),
  delete: flag().default(true).describe('Remove the container afterwards.'),
  wait: flag().default(true).describe('Wait for the end; without it the task ends when the container runs.'),
  resume: flag()
    .default(true)
    .describe(
      'When the worker was lost while the container ran: wait for that container instead of starting another. Needs the strategy VOLUME.',
    ),
  killGracePeriod: duration().prefault('PT0S').describe('How long a killed container may take to end.'),
  fileHandlingStrategy: choice(['VOLUME', 'MOUNT'])
    .default('VOLUME')
    .describe(
      'VOLUME copies the working folder into the container and back, wherever the engine runs. MOUNT mounts it, which is quicker and needs an engine on the same machine.',
    ),
});
export type DockerInput = z.infer<typeof dockerProperties>;
