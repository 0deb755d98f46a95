import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from './config/publicAddress.ts';
import type { Config } from './config/schema.ts';
import { loadTutorial } from './content/loadTutorial.ts';
import { FlowFolder } from './flowFolder/flowFolder.ts';
import { createApp } from './http/app.ts';
import { cookieScope } from './http/cookieScope.ts';
import { Jobs } from './http/jobs/jobs.ts';
import { presentKestraNames } from './http/kestraNames.ts';
import { mountOpenApi } from './http/openApi/mountOpenApi.ts';
import { mountAlerts } from './http/routes/alerts.ts';
import { mountBlueprints } from './http/routes/blueprints.ts';
import { mountBulkExecutions } from './http/routes/bulkExecutions.ts';
import { mountBulkFlows } from './http/routes/bulkFlows.ts';
import { mountCalendar } from './http/routes/calendar.ts';
import { mountCluster } from './http/routes/cluster.ts';
import { mountConcurrencyLimits } from './http/routes/concurrencyLimits.ts';
import { mountDashboards } from './http/routes/dashboards.ts';
import { mountDraftRevisions } from './http/routes/draftRevisions.ts';
import { mountExecutionActions } from './http/routes/executionActions.ts';
import { mountExecutionFiles } from './http/routes/executionFiles.ts';
import { mountExecutionReads } from './http/routes/executionReads.ts';
import { mountExecutions } from './http/routes/executions.ts';
import { mountExports } from './http/routes/exports.ts';
import { mountFlowDrafts } from './http/routes/flowDrafts.ts';
import { mountFlowGrid } from './http/routes/flowGrid.ts';
import { mountFlowParts } from './http/routes/flowParts.ts';
import { mountFlows } from './http/routes/flows.ts';
import { mountFlowTests } from './http/routes/flowTests.ts';
import { mountFlowTransfer } from './http/routes/flowTransfer.ts';
import { mountInbox } from './http/routes/inbox.ts';
import { mountInstance } from './http/routes/instance.ts';
import { mountJobs } from './http/routes/jobs.ts';
import { mountKv } from './http/routes/kv.ts';
import { mountLogs } from './http/routes/logs.ts';
import { mountMetrics } from './http/routes/metrics.ts';
import { mountNamespaceFiles } from './http/routes/namespaceFiles.ts';
import { mountNamespaces } from './http/routes/namespaces.ts';
import { mountOutputs } from './http/routes/outputs.ts';
import { mountPlayground } from './http/routes/playground.ts';
import { mountPlugins } from './http/routes/plugins.ts';
import { mountProduct } from './http/routes/product.ts';
import { mountProvider } from './http/routes/provider.ts';
import { mountQuietStart } from './http/routes/quietStart.ts';
import { mountSessions } from './http/routes/sessions.ts';
import { mountStats } from './http/routes/stats.ts';
import { mountTables } from './http/routes/tables.ts';
import { mountTaskRuns } from './http/routes/taskRuns.ts';
import { mountTemplates } from './http/routes/templates.ts';
import { mountTokens } from './http/routes/tokens.ts';
import { mountTriggers } from './http/routes/triggers.ts';
import { mountWebhooks } from './http/routes/webhooks.ts';
import { loopbackNames } from './http/security.ts';
import { openWebApp } from './http/web.ts';
import { withRepairHint } from './maintenance/damagedDatabase.ts';
import { readHealth } from './management/health.ts';
import { createManagementServer } from './management/server.ts';
import { type OpenProduct, openProduct, type ProductOptions } from './openProduct.ts';
import { prepareStore } from './prepareStore.ts';
import type { Product } from './product.ts';
import { StartError } from './startError.ts';

export interface ServerOptions extends ProductOptions {
  /** The built web app; the server works without it. */
  readonly webFolder: string;
}

export interface RunningServer {
  /** Absent when this process does not serve HTTP. */
  readonly app?: FastifyInstance;
  readonly product: Product;
  readonly url?: string;
  readonly managementUrl: string;
  close(): Promise<void>;
}

/** Opens the product, its HTTP port and its management port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  try {
    return await start(options);
  } catch (error) {
    throw await withRepairHint(error, options.config);
  }
}

async function start(options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const store = options.store ?? (await prepareStore(config, options.log, options.onFatal));
  const product = await openProduct({ ...options, store });
  const app = product.roles.has('api') ? await createProductApp(product, options.webFolder) : undefined;
  if (app) await loadTutorial(product);
  const management = createManagementServer(product);
  const folder = config.flows.path === undefined ? undefined : new FlowFolder(config.flows.path, product);
  let closing: Promise<void> | undefined;
  try {
    await folder?.load();
    if (config.flows.watch) folder?.watch();
    const { host, port, managementPort } = config.server;
    await listen(management, host, managementPort, '--management-port');
    await app?.listen({ host, port }).catch((error: unknown) => {
      throw describeListenError(error, host, port, '--port');
    });
    return {
      ...(app ? { app, url: urlOf(config, app.server.address()) } : {}),
      product,
      managementUrl: urlOf(config, management.address()),
      close: () => {
        closing ??= (folder?.close() ?? Promise.resolve()).then(() => close(app, management, product));
        return closing;
      },
    };
  } catch (error) {
    await folder?.close();
    await close(app, management, product);
    throw error;
  }
}

/** The HTTP app of a product, ready to listen or to receive injected requests. */
export async function createProductApp(product: Product, webFolder: string): Promise<FastifyInstance> {
  const { config, log } = product;
  const { host, allowedHosts } = config.server;
  const url = config.url === undefined ? undefined : new URL(config.url);
  const app = createApp({
    log,
    security: {
      allowedHosts: isLoopback(host)
        ? loopbackNames(host, [...allowedHosts, ...(url ? [url.hostname] : [])])
        : undefined,
      publicOrigin: url?.origin,
      providerOrigin: config.provider.url === undefined ? undefined : new URL(config.provider.url).origin,
    },
    auth: product.auth,
    requests: { log, isWanted: config.log.requests, tracing: product.tracing },
    isHealthy: async () => (await readHealth(product)).status === 'UP',
    cookies: cookieScope(config),
    trustedProxies: config.server.trustedProxies,
    web: openWebApp(webFolder, config.server.basePath),
    jobs: new Jobs(product),
  });
  if (config.compatibility === 'kestra') presentKestraNames(app, product.catalogue);
  mountRoutes(app, product);
  return app;
}

export function mountRoutes(app: FastifyInstance, product: Product): void {
  const mounts = [
    mountFlows,
    mountExecutions,
    mountExecutionReads,
    mountExecutionActions,
    mountBulkExecutions,
    mountWebhooks,
    mountTriggers,
    mountLogs,
    mountMetrics,
    mountFlowDrafts,
    mountDraftRevisions,
    mountPlayground,
    mountExports,
    mountFlowGrid,
    mountFlowParts,
    mountFlowTransfer,
    mountBulkFlows,
    mountExecutionFiles,
    mountTables,
    mountNamespaces,
    mountNamespaceFiles,
    mountKv,
    mountJobs,
    mountTemplates,
    mountProduct,
    mountSessions,
    mountTokens,
    mountPlugins,
    mountBlueprints,
    mountProvider,
    mountQuietStart,
    mountStats,
    mountTaskRuns,
    mountDashboards,
    mountFlowTests,
    mountOutputs,
    mountConcurrencyLimits,
    mountCluster,
    mountAlerts,
    mountInbox,
    mountCalendar,
    mountInstance,
    mountOpenApi,
  ];
  for (const mountAll of mounts) mountAll(app, product);
}

function listen(server: Server, host: string, port: number, flag: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(describeListenError(error, host, port, flag)));
    server.listen(port, host, () => resolve());
  });
}

function describeListenError(error: unknown, host: string, port: number, flag: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message =
    code === 'EADDRINUSE'
      ? `The port ${port} is in use by another program; choose another one with ${flag}.`
      : code === 'EACCES'
        ? `Listening on port ${port} is not allowed; choose one above 1024 with ${flag}.`
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? `This machine has no address "${host}"; choose another one with --host.`
          : undefined;
  return message === undefined ? error : new StartError(message, { cause: error });
}

async function close(
  app: FastifyInstance | undefined,
  management: Server,
  product: OpenProduct,
): Promise<void> {
  // The server accepts no new requests from here on; the management port reports until the end.
  await app?.close();
  await product.close(product.config.server.graceMs);
  management.closeAllConnections();
  await new Promise<void>((resolve) => management.close(() => resolve()));
}

function urlOf({ server: { host } }: Config, address: string | AddressInfo | null): string {
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
