import { product as endpoints } from '@millrace/contract';
import { filterNames, functionSignatures } from '@millrace/expression';
import type { FastifyInstance } from 'fastify';
import { readUsage } from '../../actions/readUsage.ts';
import type { Product } from '../../product.ts';
import { describeFilters } from '../filters.ts';
import { mount } from '../mount.ts';

export function mountProduct(app: FastifyInstance, product: Product): void {
  const { config } = product;

  mount(app, endpoints.getConfiguration, async () => {
    const isBasicAuthEnabled = await product.auth.credentials.areNeeded();
    return {
      uuid: product.instanceId,
      version: product.version,
      ...(config.environment ? { environment: dropUndefined(config.environment) } : {}),
      ...(config.url === undefined ? {} : { url: config.url }),
      ...(config.provider.url === undefined ? {} : { providerUrl: config.provider.url }),
      isBasicAuthEnabled,
      isBasicAuthInitialized: isBasicAuthEnabled,
      isAnonymousUsageEnabled: false,
      isUiAnonymousUsageEnabled: false,
      isTaskRunEnabled: true,
      isTemplateEnabled: config.templates.enabled,
      isQuietStart: product.activity.isQuiet,
      ...(product.controls.isSchedulerPaused ? { maintenance: product.controls.maintenance } : {}),
      isCustomDashboardsEnabled: true,
      isAiEnabled: false,
      edition: 'OSS',
      preview: { initial: config.preview.initialRows, max: config.preview.maxRows },
      systemNamespace: config.systemNamespace,
      hiddenLabelsPrefixes: ['system.', 'internal.'],
      resourceToFilters: describeFilters(),
    };
  });

  mount(app, endpoints.listBasicAuthErrors, () => []);
  mount(app, endpoints.listExpressionFilters, () => [...filterNames]);
  mount(app, endpoints.listExpressionFunctions, () =>
    functionSignatures.map(({ name, names }) => ({
      name,
      arguments: names.map((argument) => ({ name: argument })),
    })),
  );
  mount(app, endpoints.getUsage, () => readUsage(product));
}

function dropUndefined({ name, color }: { name?: string | undefined; color?: string | undefined }) {
  return { ...(name === undefined ? {} : { name }), ...(color === undefined ? {} : { color }) };
}
