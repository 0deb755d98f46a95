import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@millrace/contract';
import type { RunEnvironment } from '@millrace/engine';
import { createMasker, createOutboundClient, type PluginCatalogue } from '@millrace/plugin-kit';
import { ProcessHelper } from '@millrace/plugin-scripts/process';
import { lockServer, removeServerLock, type Store } from '@millrace/store';
import { callSubflow } from './actions/callSubflow.ts';
import { FlowCache } from './actions/flowCache.ts';
import { createTaskActions } from './actions/taskActions.ts';
import { createDashboardStore, createFlowStore } from './actions/taskFlows.ts';
import { Activity } from './activity.ts';
import { Alerts } from './alerts/alerts.ts';
import { Auth } from './auth/auth.ts';
import { joinCluster } from './cluster/joinCluster.ts';
import { rolesOf } from './cluster/role.ts';
import { SharedAdmission } from './cluster/sharedAdmission.ts';
import { SharedStorageCheck } from './cluster/sharedStorageCheck.ts';
import { type StartedCluster, startCluster } from './cluster/startCluster.ts';
import type { Config } from './config/schema.ts';
import { findContentFolder } from './content/contentFolder.ts';
import { readContent } from './content/readContent.ts';
import { typesPage } from './content/typesPage.ts';
import { Executor } from './executor/executor.ts';
import type { ExecutorParts } from './executor/executorParts.ts';
import { LocalAdmission } from './executor/localAdmission.ts';
import { recoverExecutions } from './executor/recovery.ts';
import { Watchers } from './executor/watchers.ts';
import { createHosts } from './expressionHost.ts';
import { createFileGuard } from './files/guardedFiles.ts';
import { InternalStorage } from './files/internalStorage.ts';
import { NamespaceFiles } from './files/namespaceFiles.ts';
import { openStorage } from './files/openStorage.ts';
import { applyControls } from './instance/applyControls.ts';
import { Controls } from './instance/controls.ts';
import { readInstanceId } from './instance/instanceId.ts';
import { Sampler } from './instance/sampler.ts';
import { workerKeyOf } from './instance/workload.ts';
import { KeyValues } from './kv/keyValues.ts';
import { LogBuffer } from './logs/logBuffer.ts';
import { Janitor } from './maintenance/janitor.ts';
import { Counts, countAttempts } from './management/counts.ts';
import { newId } from './newId.ts';
import { readConfigurations } from './plugins/configurations.ts';
import type { ProcessLog } from './processLog.ts';
import type { Product } from './product.ts';
import { adoptTriggers } from './scheduler/adoptTriggers.ts';
import { Evaluations } from './scheduler/evaluations.ts';
import { FlowTriggerIndex } from './scheduler/flowTriggerIndex.ts';
import { FlowTriggers } from './scheduler/flowTriggers.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { TriggerEvaluator } from './scheduler/triggerEvaluator.ts';
import { createEncryption } from './secrets/encryption.ts';
import { readEnvs, readSecrets } from './secrets/environmentSecrets.ts';
import { secretsIn } from './secrets/namedSecrets.ts';
import { openStoreOf } from './storeOf.ts';
import { closeDataFolder, findTaskUser } from './taskUser.ts';
import { Templates } from './templates/templates.ts';
import { traceAttempts } from './tracing/traceAttempts.ts';
import { openTracing } from './tracing/tracing.ts';
import { version } from './version.ts';
import { createRunAttempt } from './worker/attempt.ts';
import { SharedFolders } from './worker/sharedFolders.ts';
import { TaskContexts } from './worker/taskContext.ts';
import { Worker } from './worker/worker.ts';

export interface ProductOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly catalogue: PluginCatalogue;
  readonly log: ProcessLog;
  /** Milliseconds since the epoch; the time of the machine unless given. */
  readonly clock?: () => number;
  /** The scrypt cost of new password hashes; tests lower it. */
  readonly passwordCost?: number;
  /** Called when this process cannot continue and has to start again. */
  readonly onFatal?: (error: Error) => void;
  /** A store that is already open; closed with the product. */
  readonly store?: Store;
  /** Wraps the store and the blob store, for tests that inject faults. */
  readonly wrap?: { store(store: Store): Store; blobs(blobs: BlobStore): BlobStore };
}

export interface OpenProduct extends Product {
  /** Lets short work finish, hands back the rest, flushes buffers and closes the store. */
  close(graceMs: number): Promise<void>;
}

/** Assembles the parts and resumes unfinished work. The only function that knows all of them. */
export async function openProduct({
  config,
  env,
  catalogue,
  log,
  clock = Date.now,
  passwordCost,
  onFatal,
  store: opened,
  wrap = { store: (store) => store, blobs: (blobs) => blobs },
}: ProductOptions): Promise<OpenProduct> {
  const { secrets, unusable } = readSecrets(env);
  for (const name of unusable) log.warn(`The secret ${name} is not base64 and cannot be used.`);
  const taskUser = config.tasks.user === undefined ? undefined : await findTaskUser(config.tasks.user);
  await mkdir(config.data, { recursive: true, mode: 0o700 });
  const store = wrap.store(opened ?? (await openStoreOf(config, log, onFatal)));
  const roles = rolesOf(config.server.roles);
  const activity = new Activity({ isQuiet: config.server.quietStart, store, log, clock, onFatal });
  const controls = new Controls({ store, log, clock, newId });
  const shared = await joinCluster(store, config, roles, log, activity, controls);
  await controls.start(shared !== undefined);
  const allWork = join(config.data, 'work');
  // Servers on one machine may share the data folder; each has its own subfolder.
  const workFolder = shared ? join(allWork, shared.membership.id) : allWork;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  if (taskUser) await closeDataFolder(config.data, [...new Set([allWork, workFolder])]);
  const locks = join(config.data, 'servers');
  const ownLock = shared && lockServer(locks, shared.membership.id);
  const flows = new FlowCache(store, catalogue);
  const instanceId = await readInstanceId(store);
  let ownership: StartedCluster | undefined;
  const logs = new LogBuffer(store, log);
  const storage = await openStorage(config, env, catalogue);
  const blobs = wrap.blobs(storage.blobs);
  const files = new InternalStorage(blobs);
  const namespaceFiles = new NamespaceFiles({ blobs, store });
  const keyValues = new KeyValues({ store, clock, restricted: config.kv.restricted });
  const templates = new Templates(store, clock);
  const outbound = createOutboundClient(config.outbound);
  const { sharedNamespaces } = config.storage;
  const guardFiles = createFileGuard({ files, store, catalogue, sharedNamespaces });
  const host = createHosts({
    catalogue,
    secrets,
    guardFiles,
    namespaceFiles,
    keyValues,
    outbound,
    callSubflow: (request, depth) => callSubflow(request, depth, actionParts),
    clock,
    newId,
  });
  const encryption = config.encryption && createEncryption(config.encryption.secretKey);
  const watchers = new Watchers();
  const counts = new Counts();
  const tracing = openTracing(env, clock, log);
  const environment: RunEnvironment = {
    catalogue,
    newId,
    random: Math.random,
    maxIterations: config.executions.maxIterations,
    ...(config.templates.enabled ? { template: (namespace, id) => templates.find(namespace, id) } : {}),
    globals: config.variables.globals,
    envs: readEnvs(env),
    ...(encryption ? { encrypt: encryption.encrypt, decrypt: encryption.decrypt } : {}),
    secretsIn: (flow) => secretsIn(flow, secrets),
    cover: (text, found) => createMasker(found).mask(text),
    product: {
      ...(config.environment?.name === undefined ? {} : { environment: config.environment.name }),
      ...(config.url === undefined ? {} : { url: config.url }),
    },
  };
  const processes = new ProcessHelper({ environment: env, ...(taskUser ? { user: taskUser } : {}) });
  const configurations = readConfigurations(config.plugins.configurations, catalogue);
  const contexts = new TaskContexts({
    outbound,
    catalogue,
    secrets,
    host,
    files,
    guardFiles,
    namespaceFiles,
    keyValues,
    logs,
    processes,
    clock,
    workFolder,
    encryption,
    configurations,
    actions: createTaskActions(() => actionParts),
    flowsFor: (namespace) => createFlowStore(namespace, config.flows.restricted, () => actionParts),
    dashboards: createDashboardStore(() => actionParts),
  });
  const areStartsHeld = () => controls.areStartsHeld;
  const admission = shared
    ? new SharedAdmission(shared.cluster, flows, areStartsHeld)
    : new LocalAdmission(store, flows, areStartsHeld);
  const alerts = new Alerts({
    store,
    config,
    encryption,
    secrets,
    outbound,
    catalogue,
    membership: shared?.membership,
    log,
    clock,
    newId,
  });
  const flowTriggerIndex = new FlowTriggerIndex({ store, flows, log, watched: alerts.watched });
  const folderParts = { contexts, files, logs, workFolder, clock };
  const slots = config.worker.threads ?? 8 * availableParallelism();
  const { maxLogLines: lines, maxLogCharacters: characters } = config.worker;
  const attemptParts = { ...folderParts, catalogue, logLimits: { lines, characters } };
  const runAttempt = countAttempts(traceAttempts(createRunAttempt(attemptParts), tracing), counts, clock);
  const worker = new Worker({ slots, runAttempt, log });
  const parts: ExecutorParts = {
    store,
    flows,
    environment,
    logs,
    watchers,
    counts,
    admission,
    files,
    folders: new SharedFolders(folderParts),
    worker,
    flowTriggerIndex,
    activity,
    controls,
    host,
    encryption,
    ...(shared ? { ownership: shared.ownership, remoteWork: shared.remoteWork } : {}),
    ...(tracing ? { tracing } : {}),
    log,
    clock,
  };
  const executor = new Executor(parts, config.executions.maxOpen, config.executions.maxIdleTaskRuns);
  const flowParts = { ...parts, executor, newId, alerts, areStartsHeld };
  const flowTriggers = new FlowTriggers(flowTriggerIndex, flowParts);
  const triggerParts = { ...parts, executor, flowTriggers, newId };
  const openEvaluations = () =>
    new Evaluations({
      ...triggerParts,
      catalogue,
      evaluator: new TriggerEvaluator({ catalogue, contexts, logs, files, clock, newId }),
      workerId: shared?.membership.id ?? newId(),
      isAlone: config.database.url === undefined,
    });
  const { group } = config.worker;
  const serverId = shared?.membership.id ?? instanceId;
  const workerKey = workerKeyOf({ data: config.data, roles, group });
  const isDrained = () => controls.drainOf(serverId) !== undefined;
  const workers = () => [worker, ...(ownership?.worker ? [ownership.worker] : [])];
  // Triggers of a worker group are evaluated on its workers.
  const groupScheduler =
    shared && roles.has('worker') && group !== undefined
      ? new Scheduler({
          ...triggerParts,
          evaluations: openEvaluations(),
          source: { workerGroup: group },
          isPaused: () => controls.isSchedulerPaused || isDrained(),
        })
      : undefined;
  const scheduler = new Scheduler({
    ...triggerParts,
    evaluations: openEvaluations(),
    source: shared ? 'ungrouped' : 'all',
    isPaused: () => controls.isSchedulerPaused,
    ...(groupScheduler ? { companion: groupScheduler } : {}),
    ...(shared ? { hasWorkers: (group: string) => shared.membership.hasWorkers(group) } : {}),
  });
  executor.subscribe({
    flowEvents: (events) => flowTriggers.process(events),
    ended: (execution) => scheduler.release(execution),
    replaced: (execution, replacementId) => scheduler.handOver(execution, replacementId),
  });
  const actionParts = { ...triggerParts, config, catalogue, scheduler };
  await templates.load((error) => log.error('A changed template could not be read.', { error }));
  const auth = new Auth({ store, config, log, clock, newId, passwordCost });
  await auth.open();
  await adoptTriggers(parts);
  const janitor = new Janitor({ config, store, files, log, clock });
  const sampler = new Sampler({ config, store, blobs, log, clock, serverId, isShared: shared !== undefined });
  await applyControls({
    ...{ controls, shared, serverId, workerKey, group, worker, workers, executor, flowTriggers, log, clock },
    ownership: () => ownership,
    schedulers: [scheduler, groupScheduler],
  });
  await activity.start(async () => {
    if (roles.has('executor') || roles.has('scheduler')) await flowTriggers.start();
    // Before any execution changes: the rules decide which state changes are stored.
    if (roles.has('executor') || roles.has('scheduler')) await alerts.start();
    if (roles.has('executor')) executor.followLimits();
    ownership =
      shared &&
      (await startCluster({
        shared,
        roles,
        parts: { ...parts, executor, workFolder },
        workerGroup: config.worker.group,
        slots,
        runAttempt,
        folders: new SharedFolders(folderParts),
        locks,
        isDrained,
        areTasksHeld: () => controls.areTasksHeld,
        sharedStorageCheck: new SharedStorageCheck({
          blobs,
          membership: shared.membership,
          place: storage.place,
          log,
        }),
      }));
    const recovered = ownership
      ? { executions: ownership.claimed }
      : await recoverExecutions(executor, parts, workFolder);
    if (recovered.executions > 0) log.info('Resumed open executions.', { ...recovered });
    if (roles.has('scheduler')) await scheduler.start();
    await groupScheduler?.start();
    // In every role: whichever servers are left, one of them cleans up.
    janitor.start();
    sampler.start();
  });

  const close = async (graceMs: number): Promise<void> => {
    await activity.stop();
    await controls.stop();
    await janitor.stop();
    await sampler.stop();
    await scheduler.stop();
    await groupScheduler?.stop();
    executor.stop();
    // The server keeps its heartbeat while it finishes its work, so that no other server takes over.
    await Promise.all([ownership?.stop(graceMs), worker.stop(graceMs)]);
    await processes.close();
    await executor.settle();
    await flowTriggers.stop();
    await alerts.stop();
    outbound.close();
    shared?.ownership.stop();
    await logs.close();
    await tracing?.close();
    await shared?.membership.stop();
    await shared?.membership.leave();
    await ownership?.removeMark();
    ownLock?.unlock();
    if (shared) {
      removeServerLock(locks, shared.membership.id);
      await rm(workFolder, { recursive: true, force: true });
    }
    await store.close();
  };
  let closing: Promise<void> | undefined;

  return {
    config,
    version,
    instanceId,
    controls,
    sampler,
    blobs,
    workers,
    workerKey,
    activity,
    auth,
    roles,
    ...(shared ? { membership: shared.membership } : {}),
    store,
    catalogue,
    flows,
    executor,
    admission,
    worker,
    scheduler,
    flowTriggers,
    alerts,
    janitor,
    watchers,
    counts,
    tracing,
    logs,
    files,
    namespaceFiles,
    keyValues,
    templates,
    workFolder,
    secrets,
    encryption,
    environment,
    host,
    outbound,
    configurations,
    content: readContent(findContentFolder(), () => [typesPage(catalogue)]),
    log,
    clock,
    newId,
    close: (graceMs) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}
