import { AlertDocument, AppError, type Issue } from '@millrace/contract';
import { parsePath, readDocument } from '@millrace/engine';
import { stringify } from 'yaml';
import type { Alerts } from './alerts.ts';
import { channelProblems, type DefinitionParts, replaceAll, ruleProblems } from './definitions.ts';
import { readChannels, readRules } from './records.ts';

const header = `# Channels and rules of alerts. Stored secrets read "********"; importing that value keeps them.
`;

/** All definitions as YAML, sorted by id. */
export async function exportAlerts({
  store,
  alerts,
}: Pick<DefinitionParts, 'store' | 'alerts'>): Promise<string> {
  const channels = await Promise.all(
    (await readChannels(store)).map(({ value }) => alerts.secrets.hide(value)),
  );
  const rules = (await readRules(store)).map(({ value }) => value);
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => a.id.localeCompare(b.id);
  return header + stringify({ channels: channels.sort(byId), rules: rules.sort(byId) }, { lineWidth: 0 });
}

/** Checks a document. `document` is present when there is no error. */
export function readAlertDocument(source: string): { document?: AlertDocument; issues: readonly Issue[] } {
  const { data, issues, issueAt } = readDocument(source);
  if (issues.length > 0) return { issues };
  if (data === null) return { document: { channels: [], rules: [] }, issues: [] };
  const parsed = AlertDocument.safeParse(data);
  if (!parsed.success) {
    const found = parsed.error.issues.map(({ path, message }) =>
      issueAt(
        path.map((step) => (typeof step === 'number' ? step : String(step))),
        message,
      ),
    );
    return { issues: found };
  }
  const { channels, rules } = parsed.data;
  const channelIds = new Set(channels.map(({ id }) => id));
  const found = [
    ...repeated('channels', channels),
    ...repeated('rules', rules),
    ...channels.flatMap((channel, index) => below(`channels[${index}]`, channelProblems(channel))),
    ...rules.flatMap((rule, index) => below(`rules[${index}]`, ruleProblems(rule, channelIds))),
  ].map(({ path, message }) => issueAt(parsePath(path) ?? [], message));
  return found.length > 0 ? { issues: found } : { document: parsed.data, issues: [] };
}

export async function importAlerts(
  source: string,
  parts: DefinitionParts & { readonly alerts: Alerts },
): Promise<{ channels: number; rules: number }> {
  const { document, issues } = readAlertDocument(source);
  if (!document) {
    const tell = ({ path, message, range }: Issue) =>
      `${path === '' ? '' : `${path}: `}${message}${range ? ` (line ${range.start.line}, column ${range.start.column})` : ''}`;
    throw new AppError('invalid-entity', issues.map(tell).join('\n'), {
      errors: issues.map((issue) => ({ path: issue.path, message: tell(issue) })),
    });
  }
  await replaceAll(document, parts);
  return { channels: document.channels.length, rules: document.rules.length };
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

const below = (path: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, path: `${path}.${problem.path}` }));

function repeated(list: string, items: readonly { readonly id: string }[]): Problem[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: `${list}[${index}].id`, message: `"${id}" is used twice` }];
  });
}
