import { allTasks, parseFlow } from '@millrace/engine';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseMeta } from './parseMeta.ts';
import type { TextFile } from './textFiles.ts';

export const blueprintKinds = ['flow', 'dashboard'] as const;
export type BlueprintKind = (typeof blueprintKinds)[number];

const BlueprintMeta = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string().regex(/^[a-z0-9-]+$/)).min(1),
  publishedAt: z.iso.datetime(),
});

export interface Blueprint extends z.infer<typeof BlueprintMeta> {
  readonly kind: BlueprintKind;
  /** The types that occur in it, each once. */
  readonly includedTasks: readonly string[];
  readonly source: string;
}

/** Blueprints of one kind, by title. The text before the source is the description. */
export function toBlueprints(files: readonly TextFile[], kind: BlueprintKind): Blueprint[] {
  const blueprints = files.map((file): Blueprint => {
    const { meta, body } = parseMeta(BlueprintMeta, file);
    const fence = /^```yaml\r?\n([\s\S]*?)^```/m.exec(body);
    if (!fence?.[1]) throw new Error(`${file.path}: holds no source between \`\`\`yaml and \`\`\``);
    const source = fence[1];
    const words = body.slice(0, fence.index).trim();
    return {
      ...meta,
      kind,
      description: words === '' ? meta.description : `${meta.description}\n\n${words}`,
      includedTasks: kind === 'flow' ? typesOfFlow(source) : typesOfDashboard(source),
      source,
    };
  });
  return blueprints.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

function typesOfFlow(source: string): string[] {
  const { flow } = parseFlow(source);
  if (!flow) return [];
  return [...new Set([...allTasks(flow), ...(flow.triggers ?? [])].map(({ type }) => type))];
}

const Typed = z.looseObject({ type: z.string() });
const Charts = z.looseObject({
  charts: z.array(Typed.extend({ data: Typed.optional() })).default([]),
});

function typesOfDashboard(source: string): string[] {
  const { charts } = Charts.parse(parse(source));
  return [...new Set(charts.flatMap(({ type, data }) => (data ? [type, data.type] : [type])))];
}
