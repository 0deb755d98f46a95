const blueprints = '/api/v1/blueprints';
const webhooks = '/api/v1/executions/webhook/';
const kinds = new Set(['flow', 'dashboard', 'app']);

/**
 * Paths that older and newer clients use for a call that has one path here. Like the tenant they are rewritten once,
 * before routing, so that no check can see two spellings.
 */
export function rewriteOlderPath(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const rest = end < 0 ? '' : url.slice(end);
  if (path.startsWith(blueprints)) return blueprintPath(path) + rest;
  if (path.startsWith('/v1/docs/')) return docPath(path) + rest;
  if (path.startsWith(webhooks)) return path.replace(webhookPath, '$1') + rest;
  if (path.startsWith('/api/v1/executions/')) return path.replace(actionsPath, '$1/$2') + rest;
  return url;
}

/** Some clients append extra path segments after the key. */
const webhookPath = /^(\/api\/v1\/executions\/webhook\/[^/]+\/[^/]+\/[^/]+)\/.*$/;

/** `/executions/{id}/actions/restart`: the path of execution actions in newer clients. */
const actionsPath = /^(\/api\/v1\/executions\/[^/]+)\/actions\/(.+)$/;

/** Before there were kinds every blueprint was one of a flow. */
function blueprintPath(path: string): string {
  if (path === `${blueprints}/tags`) return `${blueprints}/community/flow/tags`;
  const [type, first, second, ...more] = path.slice(blueprints.length + 1).split('/');
  if (type !== 'community' || more.length > 0) return path;
  const flows = `${blueprints}/community/flow`;
  if (first === undefined) return flows;
  if (kinds.has(first.toLowerCase())) return path;
  if (second === undefined) return `${flows}/${first}`;
  return `${flows}/${first}/${second === 'flow' ? 'source' : second}`;
}

/** A page's path holds slashes; as one segment it is an ordinary parameter. */
function docPath(path: string): string {
  const [, page, rest] = /^\/v1\/docs\/(.+?)\/*(\/versions\/.*)$/.exec(path) ?? [];
  if (page === undefined || rest === undefined) return path;
  return `/v1/docs/${page.replace(/^\/+/, '').replaceAll('/', '%2F')}${rest}`;
}
