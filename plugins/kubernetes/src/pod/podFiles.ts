import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ownPrefix } from '@millrace/plugin-kit';
import { packFolder, shellQuote, unpackInto } from '@millrace/plugin-scripts';
import type { ApiClient, Resource } from '../cluster/client.ts';
import { exec } from '../cluster/exec.ts';
import { listIn, mapIn } from './manifest.ts';
import type { FileSidecar } from './podProperties.ts';
import type { PodPlace } from './podStatus.ts';

export const initContainer = 'init-files';
export const outContainer = 'out-files';
const volume = 'millrace-files';

/** Markers in the folder: the files are there, and the outputs were fetched. */
const marker = (folder: string, name: string): string => `${folder}/${ownPrefix}${name}`;
const waitFor = (path: string): string[] => [
  'sh',
  '-c',
  `until [ -f ${shellQuote(path)} ]; do sleep 0.2; done`,
];

interface FilesOptions {
  /** The folder of the files, the same in every container. */
  readonly folder: string;
  readonly hasInputs: boolean;
  readonly hasOutputs: boolean;
  readonly sidecar: FileSidecar;
}

/**
 * Adds a shared folder to the containers of a pod. An init container waits until the files are copied in, and
 * a sidecar keeps the pod running after its containers ended until the files are copied out.
 */
export function addFiles(spec: Resource, { folder, hasInputs, hasOutputs, sidecar }: FilesOptions): Resource {
  if (!hasInputs && !hasOutputs) return spec;
  const mount = { name: volume, mountPath: folder };
  const carrier = (name: string, command: readonly string[]) => ({
    ...sidecar.defaultSpec,
    name,
    image: sidecar.image,
    command,
    ...(sidecar.resources && { resources: sidecar.resources }),
    volumeMounts: [...listIn(sidecar.defaultSpec?.volumeMounts), mount],
  });
  const containers = listIn(spec.containers).map((container) => ({
    workingDir: folder,
    ...mapIn(container),
    volumeMounts: [...listIn(mapIn(container).volumeMounts), mount],
  }));
  return {
    ...spec,
    volumes: [...listIn(spec.volumes), { name: volume, emptyDir: {} }],
    ...(hasInputs && {
      initContainers: [
        carrier(initContainer, waitFor(marker(folder, 'ready'))),
        ...listIn(spec.initContainers),
      ],
    }),
    containers: hasOutputs
      ? [...containers, carrier(outContainer, waitFor(marker(folder, 'done')))]
      : containers,
  };
}

/** Copies a folder of the worker into the pod and lets its containers start. */
export async function uploadFolder(
  client: ApiClient,
  place: PodPlace,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<void> {
  const target = { namespace: place.namespace, pod: place.name, container: initContainer, signal };
  const temporary = await mkdtemp(join(tmpdir(), 'millrace-pod-'));
  try {
    // The command needs the size, because it cannot detect the end of its input.
    const archive = join(temporary, 'files.tar');
    await pipeline(await packFolder(from, { isWritable: true }), createWriteStream(archive));
    const { size } = await stat(archive);
    const unpack = `head -c ${size} | tar -xf - -C ${shellQuote(to)}`;
    await exec(client, { ...target, command: ['sh', '-c', unpack], stdin: createReadStream(archive) });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await exec(client, { ...target, command: ['touch', marker(to, 'ready')] });
}

/** Copies the folder of the pod back to the worker and lets the sidecar end. */
export async function downloadFolder(
  client: ApiClient,
  place: PodPlace,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<void> {
  const target = { namespace: place.namespace, pod: place.name, container: outContainer, signal };
  const archive = new PassThrough();
  const unpacked = unpackInto(to, archive, 0);
  const sent = exec(client, {
    ...target,
    command: ['tar', '-cf', '-', '-C', from, '.'],
    onStdout: (chunk) =>
      archive.write(chunk) ? undefined : new Promise((resolve) => archive.once('drain', () => resolve())),
  });
  await Promise.all([
    unpacked,
    sent.then(
      () => archive.end(),
      (error: Error) => {
        archive.destroy(error);
        throw error;
      },
    ),
  ]);
  await exec(client, { ...target, command: ['touch', marker(from, 'done')] });
}
