import type { Flow } from '@millrace/contract';

/** The parts of Docker that look alike count as one; where a task runs is no task. */
const sameIcon: Readonly<Record<string, string>> = { 'docker.Build': 'docker.Run' };
const runner = /(^|\.)runner\.(docker\.)?Docker$/;

/** The types of all tasks of a flow, however deep they are nested, each once and in order. */
export function taskTypesOf(flow: Pick<Flow, 'tasks'>): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && typeof value.type === 'string' && 'id' in value) {
      const short = value.type.replace(/^io\.kestra\.plugin\./, '');
      if (!runner.test(short)) found.add(sameIcon[short] ?? value.type);
    }
    Object.values(value).forEach(visit);
  };
  visit(flow.tasks);
  return [...found];
}
